"""Estimates of how long new work would wait where requests wait for a statement that they share.

Such requests have one turn of the pool together, so its own queue does not show how many wait.
"""

import asyncio
import time
from typing import Final, TypeVar
from weakref import WeakSet

T = TypeVar("T")

# Few that wait are answered by the next statement.
MIN_WAITING: Final = 10
# The weight of the newest interval between two answers, which come in clumps.
SMOOTHING: Final = 0.01
# If nothing was answered for so long, the pace is not what it was.
STALLED_SECONDS: Final = 1.0


class WaitEstimate:
    """Counts those that wait for shared statements, and estimates by the recent pace how long new ones would."""

    def __init__(self) -> None:
        self._waiting = 0
        self._answered_at = 0.0
        self._interval_seconds = 0.0
        _estimates.add(self)

    @property
    def expected_wait_seconds(self) -> float:
        """How long new work would wait; 0 if few wait."""
        if self._waiting <= MIN_WAITING:
            return 0.0
        expected = self._waiting * self._interval_seconds
        stalled = time.monotonic() - self._answered_at
        return max(expected, stalled) if stalled > STALLED_SECONDS else expected

    async def wait_for(self, answer: asyncio.Future[T]) -> T:
        """Return the answer, and count the time until then."""
        if self._waiting == 0:
            self._answered_at = time.monotonic()
        self._waiting += 1
        try:
            return await answer
        finally:
            now = time.monotonic()
            self._waiting -= 1
            self._interval_seconds += (now - self._answered_at - self._interval_seconds) * SMOOTHING
            self._answered_at = now


_estimates: WeakSet[WaitEstimate] = WeakSet()


def get_shared_wait_seconds() -> float:
    """Return how long new work would wait for all shared statements, one after the other."""
    return sum([estimate.expected_wait_seconds for estimate in _estimates])
