"""Calls of event handlers: one at a time for each handler, with a deadline, whatever the handler does."""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from comanda.contracts.background.events import EventHandler, StoredEvent
from comanda.contracts.background.queues import RowResult
from comanda.contracts.tracing import SpanKind
from comanda.platform import runtime, tracing
from comanda.platform.observability import HANDLER_FAILURES
from comanda.platform.plugin_calls import plugin_context

log = structlog.get_logger(__name__)

# How long a cancelled handler may take to end before it is left to itself.
CANCEL_SECONDS: Final = 1.0


class HandlerCaller:
    """Calls one handler in this process.

    It is suspended after it has hung, until a call succeeds: its events then go to its lane, so that nobody waits.
    """

    def __init__(self, handler: EventHandler) -> None:
        self.handler = handler
        self.is_suspended = False
        self._lock = asyncio.Lock()
        self._abandoned: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a call is in progress."""
        return self._lock.locked() or self._is_stuck

    @property
    def _plugin(self) -> str:
        return runtime.registry().plugin_of(self.handler)

    @property
    def _is_stuck(self) -> bool:
        """Whether a cancelled call has not ended."""
        return self._abandoned is not None and not self._abandoned.done()

    async def call(self, events: Sequence[StoredEvent]) -> list[object]:
        """Call the handler, once no other call is in progress, and return a result for each event.

        After an error the events are tried one by one, so that one event does not hold up others. What the deadline
        leaves no time for is ``RELEASED``.
        """
        async with self._lock:
            if self._is_stuck:
                return [RowResult.RELEASED] * len(events)
            deadline = asyncio.get_running_loop().time() + runtime.settings().handler_timeout_seconds
            error = await self._attempt(events, deadline)
            if error is None:
                return [RowResult.DONE] * len(events)
            if len(events) == 1 or isinstance(error, HandlerTimeout):
                return [error] * len(events)
            results: list[object] = []
            for event in events:
                if isinstance(error, HandlerTimeout) or asyncio.get_running_loop().time() >= deadline:
                    results.append(RowResult.RELEASED)
                    continue
                error = await self._attempt([event], deadline)
                results.append(RowResult.DONE if error is None else error)
            return results

    async def _attempt(self, events: Sequence[StoredEvent], deadline: float) -> Exception | None:
        """Call the handler once and return its error, if any."""
        loop = asyncio.get_running_loop()
        # As a task of its own, because a handler may ignore that it is cancelled.
        task = asyncio.ensure_future(self._handle(events))
        try:
            await asyncio.wait({task}, timeout=max(0.0, deadline - loop.time()))
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=CANCEL_SECONDS)
                self._abandoned = task
                return self._report_failure(events, HandlerTimeout(runtime.settings().handler_timeout_seconds))
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            return self._report_failure(events, RuntimeError("The handler cancelled itself."))
        error = task.exception()
        if error is None:
            self.is_suspended = False
            return None
        failure = error if isinstance(error, Exception) else RuntimeError(f"The handler raised {error!r}.")
        return self._report_failure(events, failure)

    async def _handle(self, events: Sequence[StoredEvent]) -> None:
        with plugin_context(self._plugin), tracing.span(f"handler {self.handler.name}", SpanKind.BACKGROUND):
            try:
                await self.handler.handle(events)
            except SystemExit as error:
                # In a task it would end the process.
                raise RuntimeError(f"The handler raised {error!r}.") from error

    def _report_failure(self, events: Sequence[StoredEvent], error: Exception) -> Exception:
        is_hung = isinstance(error, HandlerTimeout)
        self.is_suspended = self.is_suspended or is_hung
        HANDLER_FAILURES.labels(self.handler.name, "timeout" if is_hung else "error").inc()
        if len(events) == 1 or is_hung:
            log.error(
                "event_handler_failed",
                plugin=self._plugin,
                handler=self.handler.name,
                event_id=events[0].id,
                count=len(events),
                exc_info=None if is_hung else error,
                error=repr(error),
            )
        return error


class HandlerTimeout(Exception):
    """A handler did not end within its time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The handler took longer than {seconds:g} seconds.")


_callers: dict[str, HandlerCaller] = {}


def get_caller(handler: EventHandler) -> HandlerCaller:
    """Return the one caller of a handler in this process."""
    caller = _callers.get(handler.name)
    if caller is None or caller.handler is not handler:
        caller = _callers[handler.name] = HandlerCaller(handler)
    return caller
