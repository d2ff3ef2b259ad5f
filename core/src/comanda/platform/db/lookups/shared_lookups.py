"""Lookups that many requests make at the same time share statements: those that wait are answered by the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from comanda.platform.db import sql
from comanda.platform.db.lookups.wait_estimates import WaitEstimate

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MAX_KEYS: Final = 100
# One statement at a time, so that it is shared by many; but what comes does not wait behind a slow one.
SLOW_SECONDS: Final = 0.05
MAX_STATEMENTS: Final = 4


@dataclass(slots=True)
class _WaitingLookup(Generic[K, V]):
    key: K
    found: asyncio.Future[V | None]
    context: Context = field(default_factory=copy_context)


class SharedLookup(Generic[K, V]):
    """Looks up values by their keys with ``load``, which returns those of several keys.

    While no statement runs, or only slow ones do, lookups are made in the next turn of the event loop, together if they
    came in the same turn; those that come meanwhile wait and share the next statement. So a value is never older than
    the call that asks for it, and the more there is to look up, the less each costs.
    """

    def __init__(self, load: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._load = load
        # When each statement that runs began, its wait for a connection included.
        self._running: list[float] = []
        self._waiting: list[_WaitingLookup[K, V]] = []
        self._is_scheduled = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._estimate = WaitEstimate()

    async def find(self, key: K) -> V | None:
        """Return the value of a key, or None; in an open transaction as it is there. Raises what ``load`` raises."""
        if sql.is_in_transaction():
            return (await self._load([key])).get(key)
        loop = asyncio.get_running_loop()
        waiting = _WaitingLookup[K, V](key, loop.create_future())
        self._waiting.append(waiting)
        if not self._is_scheduled and self._may_begin(loop.time()):
            self._is_scheduled = True
            # Requests that have arrived in one turn of the event loop look up their callers in one turn, too.
            loop.call_soon(self._begin)
        return await self._estimate.wait_for(waiting.found)

    def _may_begin(self, now: float) -> bool:
        """Return whether a statement may begin: none runs, or those that do are slow."""
        if not self._running:
            return True
        return now - max(self._running) > SLOW_SECONDS and len(self._running) < MAX_STATEMENTS

    def _begin(self) -> None:
        self._is_scheduled = False
        # A statement that has ended meanwhile may have begun the next one.
        if self._may_begin(asyncio.get_running_loop().time()):
            self._load_next()

    def _load_next(self) -> None:
        """Look up what waits in a task of its own, because no request must be cancelled with another."""
        waiting = [each for each in self._waiting if not each.found.done()]
        self._waiting = waiting[MAX_KEYS:]
        if not waiting:
            return
        loop = asyncio.get_running_loop()
        began_at = loop.time()
        self._running.append(began_at)
        task = loop.create_task(self._load_waiting(waiting[:MAX_KEYS], began_at), context=waiting[0].context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _load_waiting(self, lookups: Sequence[_WaitingLookup[K, V]], began_at: float) -> None:
        try:
            loaded = await self._load(list({each.key for each in lookups}))
        except Exception as error:
            for each in lookups:
                if not each.found.done():
                    each.found.set_exception(error)
        else:
            for each in lookups:
                if not each.found.done():
                    each.found.set_result(loaded.get(each.key))
        finally:
            self._running.remove(began_at)
            self._load_next()
            for each in lookups:
                each.found.cancel()  # does nothing once it is done
