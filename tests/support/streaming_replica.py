"""A real streaming replica of an embedded PostgreSQL, which tests stop, pause and promote."""

import asyncio
import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.operations.embedded.account import Account
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform.db.lifecycle import parse_credentials

PORT = 5433


class StreamingReplica:
    """A replica of all databases of a running server."""

    def __init__(self, primary: EmbeddedPostgres):
        self._folder = create_data_folder()
        self._account = Account.for_data(primary.data_dir / "postgres")
        os.chown(self._folder, self._account.uid, self._account.gid)
        self._cluster = self._folder / "cluster"
        self._programs = primary.programs
        server = parse_credentials(primary.url)
        with (primary.data_dir / "postgres" / "pg_hba.conf").open("a") as rules:
            rules.write("local replication all trust\n")
        run_statement(primary.url, "SELECT pg_reload_conf()")
        self._user = server["user"]
        address = [f"--host={server['host']}", f"--port={server['port']}", f"--username={self._user}"]
        copied = self._account.run(
            [self._programs / "pg_basebackup", *address, "-D", self._cluster, "-R", "-X", "stream", "-c", "fast"]
        )
        assert copied.returncode == 0, copied.stdout
        self._process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self._folder)

    def to_url(self, database_url: str) -> str:
        """Return the URL of the same database on the replica."""
        return f"postgres://{self._user}@{urlsplit(database_url).path}?host={self._folder}&port={PORT}"

    def start(self):
        """Start the server unless it runs."""
        if self._process is not None:
            return
        options = {"unix_socket_directories": self._folder, "port": PORT, "hot_standby": "on"}
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [
                    self._programs / "postgres",
                    "-D",
                    self._cluster,
                    *(f"--{name}={value}" for name, value in options.items()),
                ],
                stdout=log,
                stderr=log,
                user=self._account.uid if self._account.drops_root else None,
                group=self._account.gid if self._account.drops_root else None,
            )
        wait_for(self._is_answering_or_over, "the replica", show=(self._folder / "log").read_text)
        assert self._process.poll() is None, (self._folder / "log").read_text()

    def _is_answering_or_over(self):
        try:
            if self._process.poll() is None:
                self.run("SELECT 1")
        except asyncpg.PostgresError as error:
            raise AssertionError(error) from error
        return True

    def stop(self, number: int = signal.SIGINT):
        """Stop the server, by default without waiting for its clients."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(MAX_WAIT_SECONDS)
            self._process = None

    def freeze(self):
        """Let it answer nothing, as behind a broken network."""
        self._send_to_all(signal.SIGSTOP)

    def thaw(self):
        self._send_to_all(signal.SIGCONT)

    def pause(self):
        """Let it fall behind from now on."""
        self.run("SELECT pg_wal_replay_pause()")

    def resume(self):
        self.run("SELECT pg_wal_replay_resume()")

    def promote(self):
        """Make it a primary of its own."""
        self.run("SELECT pg_promote()")

    def run(self, statement: str):
        """Run a statement on the replica and return its value."""
        return run_statement(self.to_url("//host/postgres"), statement)

    def _send_to_all(self, number):
        for pid in self._list_pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _list_pids(self):
        found = [self._process.pid]
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                # It may end meanwhile, also between the opening of a file and the reading.
                with suppress(FileNotFoundError, ProcessLookupError):
                    parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                    if parent == self._process.pid:
                        found.append(int(folder.name))
        return found


def run_statement(url: str, statement: str):
    """Run a statement on a connection of its own and return its value."""

    async def run():
        connection = await asyncpg.connect(url, timeout=MAX_WAIT_SECONDS)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    # Tests call this inside of their loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()
