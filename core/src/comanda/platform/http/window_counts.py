"""The counts of one process in the current window of rate limits, and what of them other processes do not know yet."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

# About 15 MiB. Beyond it the buckets that were idle for longest are dropped; those in Redis are kept there.
MAX_BUCKETS: Final = 50_000


@dataclass(slots=True)
class BucketCount:
    """What one process knows of a bucket: the ``shared`` count, and what it counted itself since."""

    shared: int = 0
    in_flight: int = 0
    pending: int = 0

    @property
    def total(self) -> int:
        """The count as far as this process knows it."""
        return self.shared + self.in_flight + self.pending


class WindowCounts:
    """Counts by bucket. All buckets have the same window, so a new window drops all counts."""

    def __init__(self) -> None:
        self._window = 0
        self._counts: OrderedDict[str, BucketCount] = OrderedDict()
        self._pending: dict[str, BucketCount] = {}

    def __len__(self) -> int:
        return len(self._counts)

    @property
    def has_pending(self) -> bool:
        """Whether there are counts that other processes do not know."""
        return bool(self._pending)

    def add(self, bucket: str, window: int, cost: int) -> int:
        """Count in this process, for others to be told later, and return the count."""
        count = self._get(bucket, window)
        count.pending += cost
        self._pending[bucket] = count
        return count.total

    def record_shared(self, bucket: str, window: int, total: int) -> int:
        """Record a shared count that this process has just added to, and return it with what is still pending."""
        count = self._get(bucket, window)
        # Answers to simultaneous calls arrive in any order.
        count.shared = max(count.shared, total)
        return total + count.pending

    def take_pending(self) -> tuple[int, dict[str, BucketCount]]:
        """Return the window and its counts that others do not know, now in flight."""
        taken, self._pending = self._pending, {}
        for count in taken.values():
            count.in_flight, count.pending = count.pending, 0
        return self._window, taken

    def _get(self, bucket: str, window: int) -> BucketCount:
        if window != self._window:
            self._window, self._pending = window, {}
            self._counts.clear()
        count = self._counts.get(bucket)
        if count is not None:
            self._counts.move_to_end(bucket)
            return count
        if len(self._counts) >= MAX_BUCKETS:
            self._pending.pop(self._counts.popitem(last=False)[0], None)
        count = self._counts[bucket] = BucketCount()
        return count


def settle(count: BucketCount, total: int | None) -> None:
    """Record the shared count after what was in flight was added to it, or None if no answer came.

    A count never decreases within a window, even if Redis has lost it. What got no answer may have arrived, so it is
    not sent again.
    """
    own = count.shared + count.in_flight
    count.shared, count.in_flight = max(own, total or 0), 0
