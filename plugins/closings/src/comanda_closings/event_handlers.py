"""The event handler that keeps the totals of days up to date."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final

from comanda.contracts import StoredEvent
from comanda_drawer.api import ShiftClosed
from comanda_payments.api import PrepaymentChanged

from comanda_closings.services import day_counts, drawer_differences, prepayments

Count = Callable[[Collection[tuple[int, int]]], Awaitable[None]]

# What an event is about, and how that is counted; all other events are about orders.
COUNTS: Final[Mapping[str, tuple[str, Count]]] = {
    PrepaymentChanged.name: ("prepayment_id", prepayments.count_prepayments),
    ShiftClosed.name: ("shift_id", drawer_differences.count_shifts),
}
COUNT_ORDERS: Final = ("order_id", day_counts.count_orders)


async def count_events(events: Sequence[StoredEvent]) -> None:
    """Count the orders, the prepayments and the drawers of the events."""
    found: dict[tuple[str, Count], set[tuple[int, int]]] = defaultdict(set)
    for event in events:
        subject = COUNTS.get(event.name, COUNT_ORDERS)
        found[subject].add((int(str(event.data[subject[0]])), event.owner_id))
    for (_, count), subjects in found.items():
        await count(subjects)
