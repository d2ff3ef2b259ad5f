"""The event handler that keeps the daily totals up to date."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_analytics.services import daily_totals


async def update_daily_totals(events: Sequence[StoredEvent]) -> None:
    """Recount the orders of the events."""
    await daily_totals.recount_orders({(int(str(event.data["order_id"])), event.owner_id) for event in events})
