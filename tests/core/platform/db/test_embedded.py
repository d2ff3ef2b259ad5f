"""The embedded PostgreSQL, with real servers and real processes that are killed."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import asyncpg
import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.operations.embedded import binaries, postmaster
from comanda.operations.embedded.server import EmbeddedPostgres, EmbeddedPostgresError
from tortoise.context import TortoiseContext

# A process that uses the database until it hears a line, or is killed. It may first become another user; what Python
# would import later is imported before, for its own files can be out of that user's reach.
USER = """
import encodings.idna, os, sys
from pathlib import Path
from comanda.operations.embedded.server import EmbeddedPostgres, EmbeddedPostgresError
data_dir, uid = Path(sys.argv[1]), int(sys.argv[2])
if uid:
    os.setgroups([]); os.setgid(uid); os.setuid(uid)
try:
    with EmbeddedPostgres(data_dir) as postgres:
        print(postgres.url, flush=True)
        sys.stdin.readline()
except EmbeddedPostgresError as error:
    print(error, flush=True)
"""
AS_ROOT = os.geteuid() == 0
ORDINARY = 1  # the first user after root has a name on every system
NAMELESS = 54321


class User:
    """Another process that uses the database of a data folder."""

    all_of_test: ClassVar[list["User"]] = []

    def __init__(self, data_dir: Path, *, uid: int = 0) -> None:
        command = [sys.executable, "-c", USER, str(data_dir), str(uid)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True, cwd="/"
        )
        self.all_of_test.append(self)

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        self.process.communicate("\n", timeout=MAX_WAIT_SECONDS)
        assert self.process.returncode == 0

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate(timeout=MAX_WAIT_SECONDS)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the unprivileged account may enter, unlike pytest's own; what runs in it at the end is killed."""
    with used(create_data_folder()) as path:
        yield path


@pytest.fixture
def folder_of_programs() -> Iterator[Path]:
    """Such a folder on a disk: from one in memory programs may not be executed."""
    path = Path(tempfile.mkdtemp(prefix="comanda-test-"))
    path.chmod(0o755)
    with used(path):
        yield path


@contextmanager
def used(path: Path) -> Iterator[Path]:
    User.all_of_test.clear()
    yield path
    for user in User.all_of_test:
        user.kill()
    for pid_file in path.rglob("postmaster.pid"):
        if server := postmaster.find_running_server(pid_file.parent):
            os.kill(server.pid, signal.SIGQUIT)
            wait_for_end(server.pid)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def new_data_dir(folder: Path) -> Path:
    """A data folder before its first start."""
    return folder / ".comanda"


@pytest.fixture
def data_dir(start_before: Callable[[Path], None], new_data_dir: Path) -> Path:
    """A data folder after its first start."""
    start_before(new_data_dir)
    return new_data_dir


def server_of(data_dir: Path) -> postmaster.Postmaster | None:
    return postmaster.find_running_server((data_dir / "postgres").resolve())


def pid_of(data_dir: Path) -> int:
    server = server_of(data_dir)
    assert server is not None
    return server.pid


def wait_for_end(pid: int) -> None:
    stat = Path(f"/proc/{pid}/stat")
    wait_for(
        lambda: not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z", f"the end of process {pid}"
    )


def half_made(data_dir: Path) -> list[Path]:
    return list(data_dir.glob("postgres.new-*"))


async def ask(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_the_first_start_makes_a_durable_database_with_unicode_rules_that_hears_no_network(
    new_data_dir: Path,
) -> None:
    with EmbeddedPostgres(new_data_dir) as postgres:
        assert await ask(postgres.url, "SELECT current_database()") == "comanda"
        assert await ask(postgres.url, "SHOW server_encoding") == "UTF8"
        assert await ask(postgres.url, "SELECT lower('ÉCLAIR')") == "éclair"
        for setting, value in {
            "fsync": "on",
            "synchronous_commit": "on",
            "full_page_writes": "on",
            "listen_addresses": "",
            "max_connections": "100",
        }.items():
            assert await ask(postgres.url, f"SHOW {setting}") == value, setting
    cluster = new_data_dir / "postgres"
    assert cluster.stat().st_mode & 0o777 == 0o700
    assert (cluster.stat().st_uid == 0) is False
    assert "database system is ready" in (new_data_dir / "postgres.log").read_text()


async def test_tortoise_connects_by_the_same_url(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as postgres:
        async with TortoiseContext() as context:
            await context.init(db_url=postgres.url, modules={"aerich": ["aerich.models"]})
            _, rows = await context.connections.get("default").execute_query("SELECT current_user AS name")
    assert rows[0]["name"] == "comanda"


async def test_a_foreign_pgport_does_not_divert_the_url(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    monkeypatch.setenv("PGHOST", "db.example.org")
    with EmbeddedPostgres(data_dir) as postgres:
        assert await ask(postgres.url, "SELECT 1") == 1


async def test_processes_share_one_server_and_the_last_to_stop_stops_it(data_dir: Path) -> None:
    ours = EmbeddedPostgres(data_dir)
    url = ours.start()
    server = pid_of(data_dir)
    other = User(data_dir)
    assert other.said() == url
    assert pid_of(data_dir) == server

    ours.stop()
    assert pid_of(data_dir) == server
    assert await ask(url, "SELECT 1") == 1

    other.leave()
    assert server_of(data_dir) is None


def test_stopping_twice_or_a_stranger_to_the_start_harms_nobody(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as postgres:
        EmbeddedPostgres(data_dir).stop()
        second = EmbeddedPostgres(data_dir)
        assert second.start() == second.start() == postgres.url
        second.stop()
        second.stop()
        assert server_of(data_dir) is not None
        with pytest.raises(EmbeddedPostgresError, match="not started"):
            _ = second.url
    assert server_of(data_dir) is None


def test_a_fork_that_stops_leaves_the_server_to_its_parent(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as postgres:
        script = f"""
import os, sys
from pathlib import Path
from comanda.operations.embedded.server import EmbeddedPostgres
postgres = EmbeddedPostgres(Path({str(data_dir)!r}))
postgres.start()
if os.fork() == 0:
    postgres.stop()
    os._exit(0)
os.wait()
sys.stdin.readline()
"""
        parent = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, text=True)
        time.sleep(0.1)
        url = postgres.url
    # Whether the parent began before or after our stop, it has a server until it ends without stop.
    parent.communicate("\n", timeout=MAX_WAIT_SECONDS)
    assert parent.returncode == 0
    with EmbeddedPostgres(data_dir) as again:
        assert again.url == url


async def test_after_a_killed_user_the_next_start_finds_the_server_and_stops_it_in_the_end(data_dir: Path) -> None:
    user = User(data_dir)
    url = user.said()
    await ask(url, "CREATE TABLE kept AS SELECT 7 AS number")
    server = pid_of(data_dir)
    user.kill()
    assert pid_of(data_dir) == server

    with EmbeddedPostgres(data_dir) as postgres:
        assert pid_of(data_dir) == server
        assert await ask(postgres.url, "SELECT number FROM kept") == 7
    assert server_of(data_dir) is None


async def test_a_killed_server_comes_back_with_what_was_committed(data_dir: Path) -> None:
    first = EmbeddedPostgres(data_dir)
    url = first.start()
    await ask(url, "CREATE TABLE kept AS SELECT 7 AS number")
    dead = pid_of(data_dir)
    os.kill(dead, signal.SIGKILL)  # and start at once, while its sessions still end

    with EmbeddedPostgres(data_dir) as second:
        assert pid_of(data_dir) != dead
        assert await ask(second.url, "SELECT number FROM kept") == 7
        first.stop()
        assert await ask(second.url, "SELECT number FROM kept") == 7
    assert server_of(data_dir) is None


async def test_a_pid_file_whose_number_belongs_to_a_stranger_is_seen_through(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as postgres:
        await ask(postgres.url, "CREATE TABLE kept AS SELECT 7 AS number")
        pid_file = data_dir / "postgres" / "postmaster.pid"
        stale = pid_file.read_text().splitlines()
        owner = pid_file.stat()
    # The same user's, for a signal to another user's process tells PostgreSQL that it is no server of its own.
    uid = owner.st_uid if AS_ROOT else None
    stranger = await asyncio.create_subprocess_exec("/bin/sleep", "60", user=uid)
    try:
        pid_file.write_text("\n".join([str(stranger.pid), *stale[1:], ""]))
        os.chown(pid_file, owner.st_uid, owner.st_gid)
        with EmbeddedPostgres(data_dir) as postgres:
            assert await ask(postgres.url, "SELECT number FROM kept") == 7
        assert stranger.returncode is None
    finally:
        stranger.kill()
        await stranger.wait()


async def test_a_copied_data_folder_gets_a_server_of_its_own(folder: Path, data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as original:
        await ask(original.url, "CREATE TABLE kept AS SELECT 7 AS number")
        await ask(original.url, "CHECKPOINT")
        copy = folder / "copy"
        shutil.copytree(data_dir, copy, ignore=shutil.ignore_patterns(".s.PGSQL*"))
        with EmbeddedPostgres(copy) as second:
            assert pid_of(copy) != pid_of(data_dir)
            await ask(second.url, "DROP TABLE kept")
        assert await ask(original.url, "SELECT number FROM kept") == 7


async def test_two_first_starts_at_once_make_one_cluster(new_data_dir: Path) -> None:
    users = [User(new_data_dir) for _ in range(3)]
    urls = {await asyncio.to_thread(user.said) for user in users}
    assert len(urls) == 1
    assert await ask(urls.pop(), "SELECT 1") == 1
    assert not half_made(new_data_dir)
    for user in users:
        user.leave()
    assert server_of(new_data_dir) is None


def test_a_first_start_that_was_killed_leaves_nothing_half_made(new_data_dir: Path) -> None:
    user = User(new_data_dir)
    wait_for(lambda: half_made(new_data_dir), "the beginning of the first start")
    user.kill()
    assert not (new_data_dir / "postgres").exists()

    with EmbeddedPostgres(new_data_dir):
        assert (new_data_dir / "postgres" / "PG_VERSION").exists()
        assert not half_made(new_data_dir)


async def test_a_path_too_long_for_a_socket_gets_a_private_folder_that_goes_with_the_server(folder: Path) -> None:
    data_dir = folder / ("a-shop-with-a-very-long-name-" * 4) / ".comanda"
    with EmbeddedPostgres(data_dir) as postgres:
        server = server_of(data_dir)
        assert server is not None
        assert server.socket_folder != server.cluster
        assert len(str(server.socket_path)) <= 107
        assert server.socket_folder.stat().st_mode & 0o777 == 0o700
        assert await ask(postgres.url, "SELECT 1") == 1
        with EmbeddedPostgres(data_dir) as second:
            assert second.url == postgres.url
    assert not server.socket_folder.exists()


async def test_a_server_whose_socket_was_swept_away_is_started_anew_at_the_same_address(folder: Path) -> None:
    data_dir = folder / ("a-shop-with-a-very-long-name-" * 4) / ".comanda"
    with EmbeddedPostgres(data_dir) as first:
        url = first.url
        server = server_of(data_dir)
        assert server is not None
        shutil.rmtree(server.socket_folder)
        with EmbeddedPostgres(data_dir) as second:
            assert pid_of(data_dir) != server.pid
            assert await ask(second.url, "SELECT 1") == 1
            assert second.url == url

        shutil.rmtree(server.socket_folder)
        assert first.ensure()
        assert first.url == url
        assert await ask(url, "SELECT 1") == 1
        assert server.socket_folder.stat().st_mode & 0o777 == 0o700


def test_the_server_is_out_of_reach_of_the_terminals_interrupt(data_dir: Path) -> None:
    user = User(data_dir)
    user.said()
    server = pid_of(data_dir)
    assert os.getsid(server) != os.getsid(user.process.pid)
    os.killpg(user.process.pid, signal.SIGINT)
    user.process.communicate(timeout=MAX_WAIT_SECONDS)
    with EmbeddedPostgres(data_dir):  # the interrupted user stopped it in good order, or left it running
        assert "not properly shut down" not in (data_dir / "postgres.log").read_text()


@pytest.mark.skipif(not AS_ROOT, reason="every other test here then runs as an ordinary user already")
async def test_an_ordinary_user_runs_it_as_themselves(folder: Path) -> None:
    home = folder / "home"
    home.mkdir()
    os.chown(home, ORDINARY, ORDINARY)
    home.chmod(0o700)
    user = User(home / ".comanda", uid=ORDINARY)
    url = user.said()
    assert await ask(url, "SELECT 1") == 1
    assert (home / ".comanda" / "postgres").stat().st_uid == ORDINARY
    user.leave()

    with EmbeddedPostgres(home / ".comanda") as by_root:  # sudo, once
        assert await ask(by_root.url, "SELECT 1") == 1
    again = User(home / ".comanda", uid=ORDINARY)
    assert again.said() == url
    again.leave()


@pytest.mark.skipif(not AS_ROOT, reason="only root can become a user that has no name")
def test_a_user_without_a_name_is_told_what_postgresql_misses(folder: Path) -> None:
    home = folder / "home"
    home.mkdir()
    os.chown(home, NAMELESS, NAMELESS)
    user = User(home / ".comanda", uid=NAMELESS)
    assert "/etc/passwd" in user.said()
    user.process.communicate(timeout=MAX_WAIT_SECONDS)

    with EmbeddedPostgres(home / ".comanda"):  # root finds another account for the same folder
        assert (home / ".comanda" / "postgres").stat().st_uid not in (0, NAMELESS)


@pytest.mark.skipif(not AS_ROOT, reason="only root can own a folder that this process may not use")
def test_somebody_elses_data_folder_is_refused_in_words(folder: Path) -> None:
    data_dir = folder / "theirs"
    data_dir.mkdir(mode=0o755)
    user = User(data_dir, uid=ORDINARY)
    assert "belongs to somebody else" in user.said()
    user.process.communicate(timeout=MAX_WAIT_SECONDS)


@pytest.mark.skipif(not AS_ROOT, reason="only root drops its privileges")
async def test_a_project_in_roots_private_home_works_by_a_link_and_a_copy_of_the_programs(
    folder_of_programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = folder_of_programs / "root"
    public_home = folder_of_programs / "public"
    package = next(binaries.candidates()).parent.parent
    ignore = shutil.ignore_patterns("include", "*.a", "pginstall")
    shutil.copytree(package, home / "site-packages" / package.name, ignore=ignore)
    if (libraries := package.parent / f"{package.name}.libs").exists():
        shutil.copytree(libraries, home / "site-packages" / libraries.name)
    home.chmod(0o700)
    programs = home / "site-packages" / package.name / "pginstall18" / "bin"
    monkeypatch.setattr(binaries, "candidates", lambda: iter([programs]))
    data_dir = home / "shop" / ".comanda"

    with EmbeddedPostgres(data_dir, public_home=public_home) as postgres:
        assert postgres.programs.is_relative_to(public_home / "binaries")
        cluster = (data_dir / "postgres").resolve()
        assert cluster.is_relative_to(public_home / "clusters")
        await ask(postgres.url, "CREATE TABLE kept AS SELECT 7 AS number")
    made = (public_home / "binaries").stat().st_mtime_ns

    moved = (home / "shop").rename(home / "moved") / ".comanda"
    with EmbeddedPostgres(moved, public_home=public_home) as postgres:
        assert await ask(postgres.url, "SELECT number FROM kept") == 7
    assert (public_home / "binaries").stat().st_mtime_ns == made

    shutil.copytree(moved, home / "copy", symlinks=True)
    with pytest.raises(EmbeddedPostgresError, match="is a copy of"):
        EmbeddedPostgres(home / "copy", public_home=public_home).start()

    shutil.rmtree(cluster.parent)
    with pytest.raises(EmbeddedPostgresError, match="which is gone"):
        EmbeddedPostgres(moved, public_home=public_home).start()


def test_a_cluster_of_another_version_is_refused_by_name_and_left_alone(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    (data_dir / "postgres" / "PG_VERSION").write_text("14\n")
    with pytest.raises(EmbeddedPostgresError, match=r"made by PostgreSQL 14.*versions are here: 1\d in "):
        EmbeddedPostgres(data_dir).start()
    assert (data_dir / "postgres" / "PG_VERSION").read_text() == "14\n"


def test_without_any_programs_the_error_says_what_to_install(
    new_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "candidates", lambda: iter(()))
    with pytest.raises(EmbeddedPostgresError, match=r"comanda-core\[embedded\].*DATABASE_URL"):
        EmbeddedPostgres(new_data_dir).start()
    assert not (new_data_dir / "postgres").exists()


async def test_every_installed_version_works_and_keeps_its_data_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = list(binaries.candidates())
    tried: list[object] = []
    for programs in every:
        data_dir = folder / f"made-by-{len(tried)}"
        with monkeypatch.context() as only:
            only.setattr(binaries, "candidates", lambda programs=programs: iter([programs]))
            with EmbeddedPostgres(data_dir) as postgres:
                version = await ask(postgres.url, "SHOW server_version_num")
        with EmbeddedPostgres(data_dir) as postgres:  # all versions on offer, and the first one is another
            assert await ask(postgres.url, "SHOW server_version_num") == version
        tried.append(version)
    assert len(tried) == len(every) >= 1


def test_a_server_that_cannot_start_says_why(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        pass
    settings = data_dir / "postgres" / "postgresql.local.conf"
    settings.write_text("max_connections = many\n")
    settings.chmod(0o644)
    with pytest.raises(EmbeddedPostgresError, match=r"did not start.*postgres\.log"):
        EmbeddedPostgres(data_dir).start()
    settings.unlink()
    with EmbeddedPostgres(data_dir):
        assert server_of(data_dir) is not None
