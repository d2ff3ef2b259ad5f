"""The PostgreSQL that everything measured shares: embedded, durable, in a folder that goes away at the end."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from comanda.operations.embedded.postmaster import PORT
from comanda.operations.embedded.server import EmbeddedPostgres

# An address of the loopback network that other servers leave free, whatever port it is.
TCP_HOST = "127.64.32.16"
# Enough for pgbench beside all servers that are compared.
MAX_CONNECTIONS = 300
DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


class NotDurable(RuntimeError):
    """PostgreSQL would lose commits, so that its times mean nothing."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running server: the URL of its first database, its data folder, and the folder of its programs."""

    url: str
    data: Path
    programs: Path

    @property
    def postmaster(self) -> int:
        """The id of the server's first process."""
        return int((self.data / "postgres" / "postmaster.pid").read_text().split()[0])

    def database(self, name: str) -> str:
        """Return the URL of one of the server's databases."""
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    def over_tcp(self, name: str) -> str:
        """Return the URL of one of the server's databases over TCP."""
        return f"postgresql://{urlsplit(self.url).username}@{TCP_HOST}:{PORT}/{name}"

    async def create(self, name: str, template: str | None = None) -> str:
        """Create a database, empty or as a copy of one that nobody uses, and return its URL."""
        copy = f' TEMPLATE "{template}"' if template else ""
        await execute(self.url, f'CREATE DATABASE "{name}"{copy}')
        return self.database(name)

    async def version(self) -> str:
        """Return the server's version, after checking that it keeps what it commits. Raises ``NotDurable``."""
        connection = await asyncpg.connect(self.url)
        try:
            for setting in DURABLE:
                if (value := await connection.fetchval(f"SHOW {setting}")) != "on":
                    raise NotDurable(f"PostgreSQL runs with {setting} = {value}; only durable settings are measured.")
            version: str = await connection.fetchval("SHOW server_version")
        finally:
            await connection.close()
        return version


async def execute(url: str, *statements: str) -> None:
    """Run statements on a connection of their own."""
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def folder() -> Iterator[Path]:
    """Give a data folder beside the project's own, on the disk that would hold the data; remove it at the end."""
    home = Path(".comanda").resolve()
    home.mkdir(exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="bench-", dir=home))
    # PostgreSQL runs as an unprivileged user when we are root, and has to pass.
    for passed in (home, made):
        passed.chmod(0o711 if os.geteuid() == 0 else 0o700)
    try:
        yield made
    finally:
        with EmbeddedPostgres(made):
            pass  # a server whose last user was killed is found, and ended
        # Root's clusters may lie outside, where that user may enter.
        real = (made / "postgres").resolve()
        if real.parent != made:
            shutil.rmtree(real.parent, ignore_errors=True)
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def running(data: Path) -> Iterator[Cluster]:
    """Run a server on ``data``."""
    with EmbeddedPostgres(data) as server:
        yield Cluster(server.url, data, server.programs)


def open_to_tcp(data: Path, host: str = TCP_HOST, clients: str = f"{TCP_HOST}/8") -> None:
    """Let the server of ``data`` listen on TCP too from its next start, and admit whoever calls from ``clients``."""
    with EmbeddedPostgres(data):
        pass  # makes the cluster
    folder = data / "postgres"
    (folder / "postgresql.local.conf").write_text(f"listen_addresses = '{host}'\nmax_connections = {MAX_CONNECTIONS}\n")
    with (folder / "pg_hba.conf").open("a") as admitted:
        admitted.write(f"host all all {clients} trust\n")
