"""Deadlines: work that takes too long, or whose client has disconnected, is cancelled, but never while it commits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context, ContextVar
from types import TracebackType
from typing import Any, Final, Self

# Most work is finished before anybody has to watch it.
WATCH_AFTER_SECONDS: Final = 0.5
# How soon work that was committing is cancelled.
COMMIT_PAUSE_SECONDS: Final = 0.05
# How soon work that ignored its cancellation is cancelled again; until then it may clean up.
REPEAT_SECONDS: Final = 5.0

_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)
_nothing: Final = Context()


def current_deadline() -> Deadline | None:
    """Return the innermost deadline that the running work has, or None."""
    return _deadline.get()


class DeadlineExceeded(Exception):
    """The work took longer than its deadline allows."""


class ClientDisconnected(Exception):
    """The client has disconnected before the work was finished."""


class Deadline:
    """Cancels the block that it guards after ``seconds`` and raises ``DeadlineExceeded``.

    With ``receive``, the function of an ASGI request whose body has been read, it also cancels when the client has
    disconnected and nothing has been committed yet, and raises ``ClientDisconnected``. A commit in progress is never
    cancelled, so what was committed is known, and the callbacks after it run. Work that blocks the event loop cannot be
    cancelled.

    A request needs one timer; watching it takes a task, which is started for slow requests only.
    """

    __slots__ = ("_begun", "_cancels", "_commits", "_ends_at", "_has_committed", "_outer", "_reason", "_receive",
                 "_seconds", "_task", "_timer", "_token", "_watcher")  # fmt: skip

    def __init__(self, seconds: float, receive: Callable[[], Awaitable[Any]] | None = None) -> None:
        self._seconds = seconds
        self._receive = receive
        self._reason: Exception | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._commits = 0
        self._cancels = 0
        self._has_committed = False

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("A deadline needs a running task.")
        self._task = task
        self._begun = task.cancelling()
        loop = task.get_loop()
        self._ends_at = loop.time() + self._seconds
        # The loop keeps a cancelled timer until its time has come, and with it a context, which is not the request's.
        after = min(self._seconds, WATCH_AFTER_SECONDS)
        self._timer = loop.call_later(after, self._start_watching, context=_nothing)
        self._outer = _deadline.get()
        self._token = _deadline.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _deadline.reset(self._token)
        # The watcher's context and the token refer to this deadline. Left here, they would make cycles of all that a
        # slow request has held, and overload, when most are slow, would be spent on collecting garbage.
        del self._token
        # Timers that the work has left behind, such as that of an idle connection, still refer to this deadline.
        self._receive = None
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()
            self._watcher = None
        if self._cancels:
            for _ in range(self._cancels):
                self._task.uncancel()
            # Somebody else may have cancelled the task as well, such as a server that stops.
            if kind is asyncio.CancelledError and self._task.cancelling() <= self._begun:
                raise self._reason or DeadlineExceeded from error

    def get_remaining_seconds(self) -> float:
        """Return the seconds until the work is cancelled."""
        return max(0.0, self._ends_at - self._task.get_loop().time())

    def begin_commit(self) -> None:
        """Postpone cancellation until ``end_commit``."""
        self._commits += 1
        if self._outer is not None:
            self._outer.begin_commit()

    def end_commit(self, *, is_committed: bool) -> None:
        """Allow cancellation again; after a commit, a disconnected client is no reason any more."""
        self._commits -= 1
        self._has_committed = self._has_committed or is_committed
        if self._outer is not None:
            self._outer.end_commit(is_committed=is_committed)

    def _start_watching(self) -> None:
        self._watcher = self._task.get_loop().create_task(self._watch())

    async def _watch(self) -> None:
        self._reason = await self._wait_for_reason()
        while True:
            if self._commits:
                await asyncio.sleep(COMMIT_PAUSE_SECONDS)
            elif self._has_committed and isinstance(self._reason, ClientDisconnected):
                await asyncio.sleep(self._ends_at - self._task.get_loop().time())
                self._reason = DeadlineExceeded()
            else:
                self._cancels += 1
                self._task.cancel()
                await asyncio.sleep(REPEAT_SECONDS)

    async def _wait_for_reason(self) -> Exception:
        try:
            async with asyncio.timeout_at(self._ends_at):
                if self._receive is None:
                    await asyncio.Event().wait()
                else:
                    while (await self._receive())["type"] != "http.disconnect":
                        pass
        except TimeoutError:
            return DeadlineExceeded()
        return ClientDisconnected()
