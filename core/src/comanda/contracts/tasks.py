"""Background work: tasks, and the workers of queue tables."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Task:
    """A job run by name through taskiq, and every ``every`` if that is set, by one process of all."""

    name: str
    run: Callable[[], Awaitable[object]]
    every: timedelta | None = None


class WakeEvent:
    """An event that is set when there is work on a channel, by another process or another part of this one."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake the waiting worker."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Return when the event was set since the last wait, or after ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return
        finally:
            self._event.clear()


@dataclass(frozen=True, slots=True)
class QueueWorker:
    """Works off the rows of a queue table, for as long as the process lives.

    ``run`` never returns: it claims rows with a lease, works them, and waits for its ``channel`` with a time limit,
    because a notification may be lost and the poll may not. When ``run`` raises, it is started again after a pause.
    """

    name: str
    channel: str
    run: Callable[[WakeEvent], Awaitable[None]]
