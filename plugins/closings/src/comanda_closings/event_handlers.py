"""The event handler that keeps the totals of days up to date."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_closings.services import day_counts


async def count_orders(events: Sequence[StoredEvent]) -> None:
    """Count the orders of the events."""
    await day_counts.count_orders({(int(str(event.data["order_id"])), event.owner_id) for event in events})
