"""The embedded PostgreSQL comes back under its users, and only under them."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.operations.embedded import postmaster, watch
from comanda.operations.embedded.server import EmbeddedPostgres, EmbeddedPostgresError
from comanda.operations.embedded.watch import kept_up


@pytest.fixture
def data_dir(start_before) -> Iterator[Path]:
    folder = create_data_folder()
    start_before(folder)
    yield folder
    if server := server_of(folder):
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def said(monkeypatch) -> list[tuple[str, str]]:
    """What the watch has logged: the level and the event."""
    lines: list[tuple[str, str]] = []

    class Log:
        def warning(self, event, **_):
            lines.append(("warning", event))

        def error(self, event, **_):
            lines.append(("error", event))

    monkeypatch.setattr(watch, "log", Log())
    return lines


def server_of(data_dir: Path) -> postmaster.Postmaster | None:
    return postmaster.find_running_server((data_dir / "postgres").resolve())


def kill(data_dir: Path, number: int = signal.SIGKILL) -> int:
    server = server_of(data_dir)
    assert server is not None
    os.kill(server.pid, number)
    return server.pid


async def ask(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_of_several_users_that_find_it_dead_one_starts_it_and_the_data_is_there(data_dir):
    users = [EmbeddedPostgres(data_dir) for _ in range(3)]
    urls = {user.start() for user in users}
    await ask(users[0].url, "CREATE TABLE kept AS SELECT 7 AS number")
    assert [user.ensure() for user in users] == [False, False, False]
    dead = kill(data_dir)

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(EmbeddedPostgres.ensure, users)) == [False, False, True]

    assert server_of(data_dir).pid != dead
    assert {user.url for user in users} == urls
    assert await ask(users[0].url, "SELECT number FROM kept") == 7
    for user in users:
        user.stop()
    assert server_of(data_dir) is None


def test_who_has_stopped_or_never_started_starts_nothing(data_dir):
    never = EmbeddedPostgres(data_dir)
    with EmbeddedPostgres(data_dir) as stopped:
        pass

    assert stopped.ensure() is False
    assert never.ensure() is False
    assert server_of(data_dir) is None


def test_a_stop_that_overtakes_a_restart_has_the_last_word(data_dir):
    with EmbeddedPostgres(data_dir) as postgres, ThreadPoolExecutor(1) as pool:
        kill(data_dir)
        with postgres._turn():
            restart = pool.submit(postgres.ensure)
            time.sleep(0.1)
            assert not restart.done()
            leaving = threading.Thread(target=postgres.stop)
            leaving.start()
            wait_for(lambda: postgres._use is None, "the end of its use")
        leaving.join()
        restart.result()
    assert server_of(data_dir) is None


def test_a_process_forked_in_the_middle_of_a_turn_does_not_keep_it(data_dir):
    script = """
import os, sys
from pathlib import Path
from comanda.operations.embedded.server import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as postgres:
    with postgres._turn():
        child = os.fork()
        if child == 0:
            sys.stdin.readline()
            os._exit(0)
    print(EmbeddedPostgres(Path(sys.argv[1])).start() == postgres.url, flush=True)
    os.waitpid(child, 0)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        answered = ThreadPoolExecutor(1).submit(process.stdout.readline)
        assert answered.result(timeout=MAX_WAIT_SECONDS) == "True\n"
    finally:
        process.communicate("\n", timeout=MAX_WAIT_SECONDS)


async def test_an_emptied_folder_is_not_filled_with_an_empty_database(data_dir, said, monkeypatch):
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.05)
    with EmbeddedPostgres(data_dir) as postgres:
        kill(data_dir)
        (data_dir / "postgres").rename(data_dir / "elsewhere")
        with pytest.raises(EmbeddedPostgresError, match="is gone"):
            postgres.ensure()
        with kept_up(postgres):
            await asyncio.sleep(1)
            assert not (data_dir / "postgres").exists()
            # Told once, not at each of the tries; and the watch goes on.
            assert said == [("error", "embedded_postgres_down")]
            (data_dir / "elsewhere").rename(data_dir / "postgres")
            wait_for(lambda: ("warning", "embedded_postgres_restarted") in said, "the restart")
        assert await ask(postgres.url, "SELECT 1") == 1


async def test_two_that_watch_restart_it_once_per_death_and_tell_it_once(data_dir, said, monkeypatch):
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    with EmbeddedPostgres(data_dir) as one, EmbeddedPostgres(data_dir) as two, kept_up(one), kept_up(two):
        await ask(one.url, "CREATE TABLE kept AS SELECT 7 AS number")
        for deaths in (1, 2):
            dead = kill(data_dir)
            wait_for(lambda deaths=deaths: len(said) == deaths, "the restart")
            await asyncio.sleep(0.3)
            assert said == [("warning", "embedded_postgres_restarted")] * deaths
            assert server_of(data_dir).pid != dead
            assert await ask(two.url, "SELECT number FROM kept") == 7
    assert server_of(data_dir) is None


async def test_a_server_that_a_stranger_stops_is_left_to_its_sessions_for_a_while(data_dir, said, monkeypatch):
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "STOPPING_SECONDS", 1.5)
    with EmbeddedPostgres(data_dir) as postgres, kept_up(postgres):
        connection = await asyncpg.connect(postgres.url)
        stopping = kill(data_dir, signal.SIGTERM)  # it waits for sessions, and takes no new ones
        wait_for(lambda: server_of(data_dir).is_stopping(), "the stop to begin")
        await asyncio.sleep(0.5)
        assert await connection.fetchval("SELECT 1") == 1
        assert said == []

        wait_for(lambda: said, "the restart")
        assert said == [("warning", "embedded_postgres_restarted")]
        assert server_of(data_dir).pid != stopping
        assert await ask(postgres.url, "SELECT 1") == 1
        connection.terminate()
    assert "not properly shut down" not in (data_dir / "postgres.log").read_text()
