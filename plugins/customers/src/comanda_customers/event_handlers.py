"""Handlers of order events."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_customers.services.guest_list import totals as guest_totals


async def update_guests(events: Sequence[StoredEvent]) -> None:
    """Update the guests of the orders that these events are about."""
    await guest_totals.update_guests({(int(str(event.data["order_id"])), event.owner_id) for event in events})
