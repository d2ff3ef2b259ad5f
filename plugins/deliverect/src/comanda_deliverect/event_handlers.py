"""Events of orders, menus and stores wake what Deliverect has to know of them."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import EventHandler, StoredEvent
from comanda.orders import OrderStatusChanged
from comanda.stores import IntakeChanged
from comanda_foreign_orders.api import MENU_EVENTS, list_orders, list_stores

from comanda_deliverect.services import connections, order_links

# Of the plugin drivers, which need not be installed.
DELIVERY_EVENTS: Final = ("order.out_for_delivery", "order.delivered")


async def wake_orders(events: Sequence[StoredEvent]) -> None:
    """Queue the statuses of Deliverect's orders."""
    await order_links.wake_orders(list_orders(events))


async def wake_connections(events: Sequence[StoredEvent]) -> None:
    """Queue a comparison of what can be ordered here with what Deliverect was told."""
    if stores := list_stores(events):
        await connections.wake_connections(stores)


EVENT_HANDLERS: Final = (
    EventHandler("deliverect_orders", wake_orders, (OrderStatusChanged,), DELIVERY_EVENTS),
    EventHandler("deliverect_availability", wake_connections, (*MENU_EVENTS, IntakeChanged)),
)
