"""Reads from a replica, each of which sees everything that was committed before it began, by any process.

A read asks the primary for the position of its log, together with all reads of that moment, and the replica whether it
has replayed that much. While the replica is behind, gone or no replica any more, the primary answers.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import Context
from functools import partial, wraps
from typing import Any, Final, ParamSpec, TypeVar

import asyncpg
from tortoise.backends.asyncpg.client import TransactionWrapper
from tortoise.context import require_context

from comanda.basics.outages import Outage
from comanda.platform.db.connections.modes import ConnectionMode, get_session_options
from comanda.platform.db.connections.pool import FairPool
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.db.lifecycle import CONNECT_SECONDS, GRACE_SECONDS, parse_credentials
from comanda.platform.db.replica.connections import IDENTIFY_CLUSTER, ReplicaConnection, ReplicaReader, ReplicaUnusable
from comanda.platform.db.replica.log_position import LogPosition, LogReader
from comanda.platform.observability import REPLICA_READS

P = ParamSpec("P")
T = TypeVar("T")

FIRST_PAUSE_SECONDS: Final = 0.001
MAX_PAUSE_SECONDS: Final = 0.016
PROBE_SECONDS: Final = 1.0
# What opening a connection may take, or the answer to a short question.
ANSWER_SECONDS: Final = 1.0
# A statement that takes too long on the replica would take as long on the primary.
FAILOVER_ERRORS: Final = tuple(kind for kind in TRANSIENT_ERRORS if kind is not asyncpg.QueryCanceledError)


class _Process:
    """The replica of this process, which has one at most, as it has one database."""

    replica: "Replica | None" = None


_process = _Process()


def read_from_replica(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Run a function that only reads on the replica, if there is one that is up to date; else on the primary.

    The function is called a second time if the replica fails in the middle. In an open transaction it reads there.
    """

    @wraps(function)
    async def read(*args: P.args, **named: P.kwargs) -> T:
        if _process.replica is None:
            return await function(*args, **named)
        return await _process.replica.read(partial(function, *args, **named))

    return read


@asynccontextmanager
async def open_replica(
    url: str | None, *, pool_size: int, statement_timeout_seconds: float, wait_seconds: float
) -> AsyncIterator[None]:
    """Read from the replica at ``url``, if there is one, while the block runs; it connects with the first read."""
    if url is None:
        yield
        return
    limits = {"statement_timeout": str(int(statement_timeout_seconds * 1000)), "jit": "off"}
    options = {
        **parse_credentials(url),
        **get_session_options(ConnectionMode.DIRECT, {**limits, "default_transaction_read_only": "on"}),
        "connection_class": ReplicaConnection,
        "max_size": pool_size,
        "max_inactive_connection_lifetime": 300,
        "timeout": CONNECT_SECONDS,
        "command_timeout": statement_timeout_seconds + GRACE_SECONDS,
    }
    replica = Replica(require_context().connections.get("default"), wait_seconds)
    await replica.open(options)
    _process.replica = replica
    try:
        yield
    finally:
        _process.replica = None
        await replica.close()


class Replica:
    """The replica as this process uses it."""

    _pool: FairPool

    def __init__(self, primary: Any, wait_seconds: float) -> None:
        self._primary = primary
        self._wait_seconds = wait_seconds
        self._log = LogReader(primary)
        self._outage = Outage("replica", "The primary answers what it would have answered.")
        self._probe: asyncio.Task[None] | None = None

    async def open(self, options: Mapping[str, Any]) -> None:
        """Create the pool, without a connection, because the replica may be away."""
        self._pool = FairPool(await asyncpg.create_pool(**options, min_size=0, init=self._check_cluster))

    async def read(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of ``work``, whose statements run on the replica or, if that cannot be, on the primary."""
        connections = require_context().connections
        if isinstance(connections.get("default"), TransactionWrapper):
            return await work()
        if self._probe is None:
            try:
                position = await self._log.read_position()
            except asyncpg.ObjectNotInPrerequisiteStateError:
                # During a failover, what answers as the primary may not be one yet.
                return await work()
            try:
                async with self._open_connection(position) as connection:
                    token = connections.set("default", ReplicaReader(self._primary, connection))
                    try:
                        found = await work()
                    finally:
                        connections.reset(token)
                REPLICA_READS.labels("replica").inc()
                return found
            except ReplicaUnusable as error:
                self._leave(error)
            except _Busy:
                pass
        REPLICA_READS.labels("primary").inc()
        return await work()

    async def close(self) -> None:
        """Close the connections."""
        if self._probe is not None:
            self._probe.cancel()
            with suppress(asyncio.CancelledError):
                await self._probe
        self._pool.terminate()

    @asynccontextmanager
    async def _open_connection(self, position: LogPosition) -> AsyncIterator[Any]:
        """Yield a connection that has replayed the log up to ``position``.

        Raises ``ReplicaUnusable``, also for errors of the connection in the block.
        """
        connection = await self._acquire()
        # The pool forgets what is behind its proxy when that is closed, also while the replay is waited for.
        inner = connection._con
        try:
            await self._wait_for_replay(inner, position)
            yield connection
        except FAILOVER_ERRORS as error:
            if inner.is_closed() or isinstance(error, TimeoutError):
                inner.terminate()
                raise ReplicaUnusable(str(error) or type(error).__name__) from error
            # The replica had to choose between the read and replaying the log.
            raise _Busy from error
        finally:
            await self._pool.release(connection)

    async def _acquire(self) -> Any:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._pool.acquire()
        except FAILOVER_ERRORS as error:
            if isinstance(error, TimeoutError) and self._pool.get_size() == self._pool.get_max_size():
                raise _Busy from error
            raise ReplicaUnusable(str(error) or type(error).__name__) from error

    async def _wait_for_replay(self, connection: Any, position: LogPosition) -> None:
        """Wait until the log is replayed up to ``position``. Raises ``ReplicaUnusable`` if it takes long."""
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + self._wait_seconds, FIRST_PAUSE_SECONDS
        async with asyncio.timeout(self._wait_seconds + ANSWER_SECONDS):
            while missing_bytes := await connection.count_missing_bytes(position):
                if loop.time() >= deadline:
                    raise ReplicaUnusable(f"It is {missing_bytes} bytes behind the primary.")
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE_SECONDS)

    async def _check_cluster(self, connection: Any) -> None:
        """Raise ``ReplicaUnusable`` for a connection to a server that is no copy of the primary."""
        async with self._primary.acquire_connection() as primary:
            expected = await primary.fetchval(IDENTIFY_CLUSTER)
        if await connection.fetchval(IDENTIFY_CLUSTER) != expected:
            raise ReplicaUnusable("It is not a replica of the primary.")

    def _leave(self, error: ReplicaUnusable) -> None:
        """Leave reads to the primary until the replica has caught up."""
        if self._probe is None:
            self._outage.begin(error)
            # Not in the context of a request, which ends before.
            self._probe = asyncio.get_running_loop().create_task(self._run_probe(), context=Context())

    async def _run_probe(self) -> None:
        is_usable = False
        while not is_usable:
            await asyncio.sleep(PROBE_SECONDS)
            with suppress(ReplicaUnusable, _Busy, *TRANSIENT_ERRORS):
                async with self._open_connection(await self._log.read_position()):
                    is_usable = True
        self._outage.end()
        self._probe = None


class _Busy(Exception):
    """The replica is usable, but not for this read."""
