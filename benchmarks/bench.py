"""The bench: starts what is compared, loads it in turn, and takes the medians."""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
from rich.console import Console

from benchmarks import cluster, processes
from benchmarks.cluster import Cluster
from benchmarks.findings import Detail, Report
from benchmarks.processes import Child, ProcessFailed
from benchmarks.world import SECRET_KEY, World

# Raised so far that no load reaches it; counting stays as it is.
REQUESTS_PER_MINUTE = 100_000_000
POOL_SIZE = 10
DRAIN_SECONDS = 60
# Settings of whoever runs this, and the switch by which Python would compile every module anew at each start.
NOT_OURS = frozenset(
    {"DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL", "REDIS_URL", "DATA", "PORT"}
    | {"PYTHONDONTWRITEBYTECODE"}
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to measure: rounds of how many seconds each, after how long a warm-up."""

    rounds: int
    seconds: float
    warm_up: float
    orders: int
    messages: int


FULL = Pace(rounds=5, seconds=2.0, warm_up=1.5, orders=1_000_000, messages=2000)
QUICK = Pace(rounds=2, seconds=0.6, warm_up=0.3, orders=100_000, messages=300)


# Runs a load of its own kind on so many connections for so many seconds, and returns what a client reports.
Load = Callable[[int, float], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Program:
    """One side of a comparison: where it listens, what it is sent, and the database whose events it works off.

    With ``load`` it is no server, and nothing is sent.
    """

    name: str
    child: Child | None
    port: int
    requests: Sequence[str]
    outbox: str | None = None
    load: Load | None = None

    def cpu_seconds(self) -> float:
        """Sum the CPU time of its processes so far."""
        return processes.cpu_seconds(self.child.pid) if self.child is not None else 0.0

    def last_words(self) -> str:
        """Return the end of what it wrote."""
        return self.child.last_words() if self.child is not None else ""


class Bench:
    """What every measure works with."""

    def __init__(self, server: Cluster, world: World, pace: Pace, report: Report, console: Console) -> None:
        self.cluster = server
        self.world = world
        self.pace = pace
        self.report = report
        self._console = console
        self._log_folder = server.data

    def say(self, text: str) -> None:
        """Tell what is going on."""
        self._console.print(text, style="dim", markup=False, highlight=False)

    def child(self, name: str, *arguments: str, **environment: str) -> Child:
        """Start a program of this package that is asked in lines."""
        return Child(
            processes.module(f"benchmarks.{name}", *arguments),
            self.log(name),
            {**os.environ, **environment},
            piped=True,
        )

    def log(self, name: str) -> Path:
        """Return where a process's output goes."""
        return self._log_folder / f"{name}.log"

    @contextmanager
    def comanda(self, database_url: str, **settings: str) -> Iterator[tuple[Child, int]]:
        """Serve Comanda with every installed plugin on a database, until the block ends."""
        port = processes.free_port()
        environment = {**comanda_environment(self._log_folder, port, database_url), **settings}
        with Child(serve_command(), self.log("comanda"), environment) as child:
            yield child, port

    @contextmanager
    def comanda_in_production(
        self, database_url: str, redis_url: str, web_processes: int, *, engine: str = "uvicorn"
    ) -> Iterator[tuple[Child, int]]:
        """Serve Comanda in several web processes and one background worker under one supervisor."""
        port = processes.free_port()
        environment = {**comanda_environment(self._log_folder, port, database_url), "REDIS_URL": redis_url}
        command = [*serve_command(), f"--workers={web_processes}", "--background-workers=1", f"--engine={engine}"]
        with Child(command, self.log("production"), environment) as child:
            yield child, port

    @contextmanager
    def floor(
        self, name: str, *arguments: str, database_url: str = "", web_processes: int = 1
    ) -> Iterator[tuple[Child, int]]:
        """Serve a floor, until the block ends."""
        port = processes.free_port()
        environment = {
            **os.environ,
            "FLOOR_DATABASE_URL": database_url,
            "POOL_SIZE": str(POOL_SIZE),
            "WEB_PROCESSES": str(web_processes),
        }
        command = processes.module(f"benchmarks.floors.{name}", str(port), *arguments)
        with Child(command, self.log(name), environment) as child:
            yield child, port

    async def compare(
        self, work: str, programs: Sequence[Program], connections: int, databases: Sequence[str] = ()
    ) -> dict[str, Detail]:
        """Load the programs in turn, round by round, and return what each did by name; keeps that in the report.

        ``databases`` get statistics after the warm-up, as PostgreSQL makes them itself within a minute.
        """
        self.say(f"{work}: {', '.join(program.name for program in programs)}, {connections} connections")
        taken: dict[str, list[Mapping[str, Any]]] = {program.name: [] for program in programs}
        with self.child("load") as load:
            for program in programs:
                await self._round(load, program, connections, self.pace.warm_up)
            for url in databases:
                await cluster.execute(url, "ANALYZE")
            for number in range(self.pace.rounds):
                # Each goes first in turn, so that none always follows the same one.
                turn = number % len(programs)
                for program in [*programs[turn:], *programs[:turn]]:
                    taken[program.name].append(await self._round(load, program, connections, self.pace.seconds))
        details = {
            name: Detail(
                work,
                name,
                connections,
                rates=[round_["rate"] for round_ in rounds],
                p50s_ms=[round_["p50_ms"] for round_ in rounds],
                p99s_ms=[round_["p99_ms"] for round_ in rounds],
                cpus_ms=[(round_["cpu"] + round_["database_cpu"]) / round_["requests"] * 1000 for round_ in rounds],
                database_cpus_ms=[round_["database_cpu"] / round_["requests"] * 1000 for round_ in rounds],
            )
            for name, rounds in taken.items()
        }
        self.report.details += details.values()
        return details

    async def _round(self, load: Child, program: Program, connections: int, seconds: float) -> Mapping[str, Any]:
        """Run one round; return what the client saw, and the CPU seconds of server and database, events worked off."""
        before, database_before = program.cpu_seconds(), processes.cpu_seconds(self.cluster.postmaster)
        if program.load is not None:
            found = await program.load(connections, seconds)
        else:
            found = await load.ask(
                port=program.port, connections=connections, seconds=seconds, requests=list(program.requests)
            )
        if found["failed"] or not found["requests"]:
            raise ProcessFailed(
                f"{program.name}: {found['failed']} of {found['requests']} requests failed, {found['problem']}; "
                f"{program.last_words()}"
            )
        if program.outbox is not None:
            await drained(program.outbox)
        return {
            **found,
            "cpu": program.cpu_seconds() - before,
            "database_cpu": processes.cpu_seconds(self.cluster.postmaster) - database_before,
        }


async def drained(database_url: str) -> None:
    """Wait until every event has been to its handlers, so that this work is counted where it belongs."""
    connection = await asyncpg.connect(database_url)
    try:
        deadline = time.monotonic() + DRAIN_SECONDS
        while await connection.fetchval("SELECT EXISTS (SELECT FROM core_outbox WHERE done_at IS NULL)"):
            if time.monotonic() > deadline:
                raise ProcessFailed(f"events still wait {DRAIN_SECONDS} seconds after the load ended")
            await asyncio.sleep(0.1)
    finally:
        await connection.close()


def serve_command() -> list[str]:
    """Make the command that serves Comanda."""
    return [str(Path(sys.executable).with_name("comanda")), "serve"]


def comanda_environment(data: Path, port: int, database_url: str | None) -> dict[str, str]:
    """Make the environment of a Comanda with default settings but for the rate limits; local receivers are allowed."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("COMANDA_") and name not in NOT_OURS
    }
    settings = {
        "DATA": str(data),
        "COMANDA_SECRET_KEYS": SECRET_KEY,
        "PORT": str(port),
        "COMANDA_POOL_SIZE": str(POOL_SIZE),
        "COMANDA_REQUESTS_PER_MINUTE": str(REQUESTS_PER_MINUTE),
        "COMANDA_MCP_MESSAGES_PER_MINUTE": str(REQUESTS_PER_MINUTE),
        "COMANDA_MCP_CALLS_PER_MINUTE": str(REQUESTS_PER_MINUTE),
        "COMANDA_DEVELOPMENT": "true",
    }
    return {**kept, **settings, **({"DATABASE_URL": database_url} if database_url else {})}
