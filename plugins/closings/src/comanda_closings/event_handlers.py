"""The event handler that keeps the totals of days up to date."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent
from comanda_payments.api import PrepaymentChanged

from comanda_closings.services import day_counts, kept_deposits


async def count_events(events: Sequence[StoredEvent]) -> None:
    """Count the orders and the deposits of the events."""
    orders, deposits = set(), set()
    for event in events:
        if event.name == PrepaymentChanged.name:
            deposits.add((int(str(event.data["prepayment_id"])), event.owner_id))
        else:
            orders.add((int(str(event.data["order_id"])), event.owner_id))
    if orders:
        await day_counts.count_orders(orders)
    if deposits:
        await kept_deposits.count_deposits(deposits)
