"""Background work: what may be lost with its process, and what may not."""

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
    """A bell that another process or another part of this one rings when there is work on a channel."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Let the waiting drain go on."""
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        """Return when the bell has rung since the last wait, or after ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            return
        finally:
            self._rung.clear()


@dataclass(frozen=True, slots=True)
class QueueWorker:
    """Works off rows that wait in a table, for as long as the process lives.

    ``run`` never returns: it claims rows with a lease, works them, and waits on the bell of ``channel`` with a time
    limit, because a bell may be lost and the poll may not. When ``run`` raises it is started again after a pause.
    """

    name: str
    channel: str
    run: Callable[[WakeEvent], Awaitable[None]]
