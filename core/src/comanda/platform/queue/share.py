"""One share of a queue in this process: its claimed rows that wait, and the calls in progress."""

import asyncio
import time
from collections import deque
from typing import Final

from comanda.contracts.background.queues import ClaimedRow, QueueWork

# How many rows of one share are claimed ahead: few until its pace is known, then a few seconds' worth.
INITIAL_DEPTH: Final = 16
DEPTH_SECONDS: Final = 5.0


class Share:
    """The rows of one share that this process has claimed."""

    def __init__(self, owner_id: int, work: QueueWork) -> None:
        limits = work.limits
        self.owner_id = owner_id
        self.waiting: deque[ClaimedRow] = deque()
        self.calls = 0
        self.has_more = False
        # When the leases of all waiting rows were last checked, and the lock of the check in progress.
        self.checked_at = time.monotonic()
        self.check_lock = asyncio.Lock()
        self._get_concurrency = work.get_concurrency
        self._max_calls = limits.max_per_share or limits.max_in_flight
        self._batch_size = limits.batch_size
        self._claims_ahead = limits.max_claimed_ahead > 0
        self._min_depth = self._max_calls * limits.batch_size
        self._max_depth = max(self._min_depth, limits.max_claimed_ahead)
        self.depth = get_initial_depth(work)
        self._average_seconds = 0.0

    @property
    def room(self) -> int:
        """How many more rows to claim: none until half of the last claim is used up."""
        if not self._claims_ahead:
            return self._min_depth - len(self.waiting) - self.calls * self._batch_size
        return self.depth - len(self.waiting) if len(self.waiting) <= self.depth // 2 else 0

    @property
    def limit(self) -> int:
        """The maximum number of calls at once."""
        if self._get_concurrency is None or not self.waiting:
            return self._max_calls
        return min(self._get_concurrency(self.waiting[0]), self._max_calls)

    def record_duration(self, seconds: float) -> None:
        """Update the average duration of a call, and the depth that follows from it."""
        self._average_seconds = 0.8 * self._average_seconds + 0.2 * seconds if self._average_seconds else seconds
        fitting = int(self._min_depth * DEPTH_SECONDS / max(self._average_seconds, 0.001))
        self.depth = min(max(fitting, self._min_depth), self._max_depth)


def get_initial_depth(work: QueueWork) -> int:
    """Return how many rows of a share whose pace is unknown are claimed."""
    limits = work.limits
    smallest = (limits.max_per_share or limits.max_in_flight) * limits.batch_size
    return max(smallest, min(INITIAL_DEPTH, limits.max_claimed_ahead))
