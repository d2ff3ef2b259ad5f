"""Events of orders wake what Deliverect has to know of them."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import EventHandler, StoredEvent
from comanda.orders import OrderStatusChanged

from comanda_deliverect.services import order_links

# Of the plugin drivers, which need not be installed.
DELIVERY_EVENTS: Final = ("order.out_for_delivery", "order.delivered")


async def wake_orders(events: Sequence[StoredEvent]) -> None:
    """Queue the statuses of Deliverect's orders."""
    await order_links.wake_orders(sorted({(event.owner_id, int(str(event.data["order_id"]))) for event in events}))


EVENT_HANDLERS: Final = (EventHandler("deliverect_orders", wake_orders, (OrderStatusChanged,), DELIVERY_EVENTS),)
