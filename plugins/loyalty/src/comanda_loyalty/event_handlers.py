"""The handler that books what orders earn."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_loyalty.services import earned_points


async def update_points(events: Sequence[StoredEvent]) -> None:
    """Update the points of the orders that these events are about."""
    orders = sorted({(int(str(event.data["order_id"])), event.owner_id) for event in events})
    for order_id, owner_id in await earned_points.list_concerned(orders):
        await earned_points.update_earned(owner_id, order_id)
