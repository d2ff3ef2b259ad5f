"""Records of guests and segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money

from comanda_customers.services.guest_list.segments import Segment


@dataclass(frozen=True, slots=True)
class GuestProfile:
    """A person who ordered at the store, with totals over all orders except cancelled ones.

    ``visits`` counts business days. ``phone`` is in E.164, or bare digits if the country is unknown. ``segment`` is
    null for a guest in no segment.
    """

    id: int
    name: str | None
    phone: str | None
    email: str | None
    visits: int
    orders: int
    total_spent: Money
    avg_order: Money
    first_seen_at: datetime
    last_seen_at: datetime
    tags: Sequence[str]
    segment: Segment | None


@dataclass(frozen=True, slots=True)
class SegmentTotals:
    """The number of guests in a segment and their total spent, in the store's currency."""

    key: Segment
    label: str
    count: int
    total_spent: Money
