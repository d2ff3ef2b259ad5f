"""What people wait for: pages, agents, kitchens and commands, in the setting of production.

Each module of this package has ``ROWS``, which ``python -m benchmarks people`` measures and prints, in the order of the
modules' names:

    async def measure_menu(setting: Setting) -> str:
        return f"{await setting.measure_cpu_ms([setting.get_request('/api/v1/menu/1')]):.1f} ms"

    ROWS = (Row("menu, CPU a request", "≤ 1 ms", measure_menu),)

The installation has 20 stores of ``setting.world`` in a restaurant: the first has 50 items, the second (``busy_shop``)
109,000 completed orders, and the last 18 nothing but three items, for rows that change what they measure.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from comanda.web.sign_in.sessions import SESSION_COOKIE

from benchmarks import cluster, processes
from benchmarks.processes import Child, ProcessFailed
from benchmarks.world import Shop, World

LOGGED: Final = ("LOG:  execute ", "LOG:  statement: ")
# What a connection says until its settings have been read again.
RELOAD_SECONDS: Final = 0.5


@dataclass(slots=True)
class Statements:
    """What the database was asked while a block ran."""

    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Setting:
    """Comanda with PostgreSQL over TCP, Redis, two web processes and a worker; each row finds it without any load.

    ``email`` and ``password`` sign the owner in, ``world.token`` calls the API, and ``sessions`` are cookies of pages.
    """

    site_url: str
    port: int
    database_url: str
    redis_url: str
    email: str
    password: str
    world: World
    sessions: Sequence[str]
    data: Path
    server: Child
    postmaster: int
    load: Child
    environment: dict[str, str]

    @property
    def busy_shop(self) -> Shop:
        """The store with many orders."""
        return self.world.shops[1]

    def get_request(self, path: str) -> str:
        """Make a request for a page or a file without a session."""
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    def get_page_requests(self, path: str) -> list[str]:
        """Make the requests of several people, as one may not open so many pages a minute."""
        request = self.get_request(path).removesuffix("\r\n")
        return [f"{request}Cookie: {SESSION_COOKIE}={secret}\r\n\r\n" for secret in self.sessions]

    def cpu_seconds(self) -> float:
        """Sum the CPU time of all Comanda's and PostgreSQL's processes so far."""
        return processes.cpu_seconds(self.server.pid, self.postmaster)

    async def measure_cpu_ms(self, requests: Sequence[str], *, connections: int = 1, seconds: float = 3.0) -> float:
        """Send requests in turn and return the CPU milliseconds of server and database for each.

        Raises ``ProcessFailed`` if one is answered with 300 or more.
        """
        await self.send(requests, connections=connections, seconds=seconds / 3)
        before = self.cpu_seconds()
        found = await self.send(requests, connections=connections, seconds=seconds)
        return (self.cpu_seconds() - before) / found * 1000

    async def send(self, requests: Sequence[str], *, connections: int, seconds: float) -> int:
        """Send requests in turn for so many seconds and return how many were answered. Raises ``ProcessFailed``."""
        found = await self.load.ask(port=self.port, connections=connections, seconds=seconds, requests=list(requests))
        if found["failed"] or not found["requests"]:
            raise ProcessFailed(f"{found['failed']} of {found['requests']} requests failed: {found['problem']}")
        requests_answered: int = found["requests"]
        return requests_answered

    @asynccontextmanager
    async def statements(self) -> AsyncIterator[Statements]:
        """Collect the statements of all processes, with those that begin and end transactions, while a block runs."""
        log, found = self.data / "postgres.log", Statements()
        await self._log_statements("all")
        began_at = log.stat().st_size
        try:
            yield found
        finally:
            lines = log.read_bytes()[began_at:].decode(errors="replace").splitlines()
            found.texts += [line for line in lines if any(mark in line for mark in LOGGED)]
            await self._log_statements("none")

    async def _log_statements(self, which: str) -> None:
        await cluster.execute(
            self.database_url, f"ALTER SYSTEM SET log_statement = '{which}'", "SELECT pg_reload_conf()"
        )
        await asyncio.sleep(RELOAD_SECONDS)


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that people wait for; ``measure`` returns its figure as it is printed beside the goal.

    It may raise ``ProcessFailed``, and then the other rows are measured still.
    """

    name: str
    goal: str
    measure: Callable[[Setting], Awaitable[str]]
