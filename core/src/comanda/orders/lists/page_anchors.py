"""Page anchors: known places in the list of a store's orders, from which deep pages are read without counting to them.

Orders are never deleted, and new ones get higher ids. So the position of an order, counted from the store's oldest,
never changes once the orders around it are committed, and with the total from the tally it locates any page. Each
process remembers the places where it has landed; the first jump to the middle of a long list walks an index.
"""

from bisect import bisect_left, insort
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

MAX_STORES: Final = 2000
MAX_ANCHORS: Final = 500
# A page is read from an anchor at most this far away, if there is one; so anchors are not closer than this.
MIN_DISTANCE: Final = 300
# A transaction that still runs may commit an order with a lower id than those that are there.
SETTLED_AFTER: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where to start reading: skip ``skipped`` orders from ``id`` on, or from the list's newest or oldest order."""

    skipped: int
    id: int | None = None
    is_ascending: bool = False


@dataclass(slots=True)
class StoreAnchors:
    """Ids of a store's orders by their position, counted from the oldest order as 1."""

    _positions: list[int] = field(default_factory=list)
    _ids: dict[int, int] = field(default_factory=dict)

    def find_start(self, offset: int, size: int, total: int) -> PageStart:
        """Return the nearest start of a page after ``offset`` newer orders, in a list of ``total``."""
        position = total - offset
        if position <= 0:
            return PageStart(offset)
        starts = [PageStart(offset), PageStart(max(0, position - size), is_ascending=True)]
        place = bisect_left(self._positions, position)
        if place < len(self._positions):
            newer = self._positions[place]
            starts.append(PageStart(newer - position, self._ids[newer]))
        return min(starts, key=lambda start: start.skipped)

    def add(self, position: int, order_id: int) -> None:
        """Remember the position of an order."""
        if position not in self._ids and len(self._positions) < MAX_ANCHORS:
            insort(self._positions, position)
            self._ids[position] = order_id


class PageAnchors:
    """The anchors of the stores whose deep pages were read last."""

    def __init__(self) -> None:
        self._stores: OrderedDict[tuple[int, int], StoreAnchors] = OrderedDict()

    def get(self, owner_id: int, store_id: int) -> StoreAnchors:
        """Return a store's anchors."""
        anchors = self._stores.pop((owner_id, store_id), None) or StoreAnchors()
        self._stores[owner_id, store_id] = anchors
        if len(self._stores) > MAX_STORES:
            self._stores.popitem(last=False)
        return anchors


def is_anchor_due(start: PageStart, placed_at: datetime, moment: datetime) -> bool:
    """Return whether a page that was read from ``start`` deserves an anchor of its own."""
    return start.skipped > MIN_DISTANCE and placed_at < moment - SETTLED_AFTER
