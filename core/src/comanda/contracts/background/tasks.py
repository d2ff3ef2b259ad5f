"""Background work: tasks, the event that wakes those who wait for work, and catching up after an absence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Task:
    """A job run by name through taskiq, and every ``every`` if that is set, by one process of all.

    A periodic task never overlaps itself: while it runs in any process, it is not started again.
    """

    name: str
    run: Callable[[], Awaitable[object]]
    every: timedelta | None = None


class WakeEvent:
    """An event that is set when there is work, by another process or another part of this one."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake whoever waits."""
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
class Reconciler:
    """What a plugin does after it was away: ``run(since)`` catches up on everything from ``since`` on.

    ``plugin`` is the plugin's name. ``since`` is when the plugin was last known to run, never later than it went away.
    ``run`` is awaited in a worker, once after each absence; it is repeated if it raises or its process ends, so it
    bears repeats. It does not run at the first installation.
    """

    plugin: str
    run: Callable[[datetime], Awaitable[object]]
