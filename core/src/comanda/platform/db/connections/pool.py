"""A queue in front of asyncpg's pool: connections go to the request that began first.

asyncpg wakes the first waiter when a connection is returned, but until it runs a newcomer may take the connection; the
waiter then goes to the end of the queue. Under load some wait for seconds while others do not wait at all.
"""

import asyncio
import heapq
from contextvars import ContextVar
from itertools import count
from typing import Any, Final
from weakref import WeakSet

import asyncpg
from tortoise.context import require_context

from comanda.platform.db.lookups.wait_estimates import get_shared_wait_seconds

# The weight of the newest interval between two turns, which come in clumps.
SMOOTHING: Final = 0.01
# If the queue has not moved for so long, its pace is not what it was; a busy event loop pauses for less.
STALLED_SECONDS: Final = 1.0
# Work that lasts longer, such as a page that follows events, has no precedence over what came later.
MAX_WORK_SECONDS: Final = 10.0
# Turns are averaged over about so many works.
MAX_WORKS: Final = 1000
URGENT: Final = -1.0


class Work:
    """What takes turns, such as a request: when it began, and how many turns it has had."""

    __slots__ = ("began_at", "turns")

    def __init__(self, began_at: float) -> None:
        self.began_at = began_at
        self.turns = 0


_work: ContextVar[Work | None] = ContextVar("work", default=None)


def begin_work(*, is_urgent: bool = False) -> None:
    """Count all turns of the running task as one work that begins now; urgent work goes before all other."""
    _work.set(Work(URGENT if is_urgent else asyncio.get_running_loop().time()))


class FairPool:
    """asyncpg's pool as Tortoise uses it, with as many turns as connections, for those first whose work began first.

    A request that has had a connection and needs another one goes before requests that came later, so that what was
    begun is soon finished. Connections themselves are still reused last in, first out.
    """

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool
        self._size = self._free_turns = pool.get_max_size()
        self._loop = asyncio.get_running_loop()
        self._queue: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._cancelled = 0
        self._acquired: set[Any] = set()
        self._watched: WeakSet[Any] = WeakSet()
        # When the queue last moved, or began, and how long it took lately from one turn to the next.
        self._moved_at = 0.0
        self._interval_seconds = 0.0
        self._turns, self._works = 0, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    @property
    def waiting(self) -> int:
        """How many wait for a connection."""
        return len(self._queue) - self._cancelled

    @property
    def expected_wait_seconds(self) -> float:
        """How long new work would wait for its first turn, judging by the recent pace; 0 if little is before it."""
        waiting = self.waiting
        if waiting <= self._size:
            return 0.0
        interval = self._interval_seconds
        if (stalled := self._loop.time() - self._moved_at) > STALLED_SECONDS:
            interval = max(interval, stalled / self._size)
        return waiting * interval * self._turns / self._works

    async def acquire(self) -> Any:
        """Return a connection once the work that began before has had its turns."""
        work = self._get_work()
        if self._free_turns > 0:
            self._free_turns -= 1
        else:
            await self._wait(work.began_at)
        self._count_turn(work)
        try:
            connection = await self._pool.acquire()
        except BaseException:
            self._pass_turn()
            raise
        self._acquired.add(connection)
        self._watch(connection)
        return connection

    async def release(self, connection: Any) -> None:
        """Return a connection; one that was returned before is left alone."""
        try:
            await self._pool.release(connection)
        finally:
            self._return_turn(connection)

    def _watch(self, acquired: Any) -> None:
        """Return the turn of a connection that is never released once its session ends."""
        connection = acquired._con
        if connection is not None and connection not in self._watched:
            self._watched.add(connection)
            connection.add_termination_listener(self._return_turn)

    def _return_turn(self, connection: Any) -> None:
        if connection in self._acquired:
            self._acquired.discard(connection)
            self._pass_turn()

    def _get_work(self) -> Work:
        work, now = _work.get(), self._loop.time()
        if work is None or URGENT < work.began_at < now - MAX_WORK_SECONDS:
            return Work(now)
        return work

    async def _wait(self, began_at: float) -> None:
        turn: asyncio.Future[None] = self._loop.create_future()
        if not self._queue:
            self._moved_at = self._loop.time()
        heapq.heappush(self._queue, (began_at, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._cancelled += 1
            else:
                # It was given the turn in the moment in which it was cancelled.
                self._pass_turn()
            raise

    def _pass_turn(self) -> None:
        """Give a turn directly to the first in the queue, so that no newcomer can take it."""
        while self._queue:
            _, _, turn = heapq.heappop(self._queue)
            if turn.cancelled():
                self._cancelled -= 1
                continue
            now = self._loop.time()
            self._interval_seconds += (now - self._moved_at - self._interval_seconds) * SMOOTHING
            self._moved_at = now
            turn.set_result(None)
            return
        self._free_turns += 1

    def _count_turn(self, work: Work) -> None:
        if work.turns == 0:
            if self._works >= MAX_WORKS:
                self._works, self._turns = self._works // 2, self._turns // 2
            self._works += 1
        work.turns += 1
        self._turns += 1


def get_expected_wait_seconds() -> float:
    """Return how long new work would wait for a connection of the process's pool, and for statements that it shares."""
    pool = require_context().connections.get("default")._pool
    expected = pool.expected_wait_seconds if isinstance(pool, FairPool) else 0.0
    return expected + get_shared_wait_seconds()
