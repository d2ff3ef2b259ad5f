"""Events of orders and menus wake what HubRise has to know of them."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import EventHandler, StoredEvent
from comanda.orders import OrderStatusChanged
from comanda_foreign_orders.api import MENU_EVENTS, list_orders, list_stores

from comanda_hubrise.services import order_links, outbound

# Of the plugin drivers, which need not be installed.
DELIVERY_EVENTS: Final = ("order.out_for_delivery", "order.delivered", "order.delivery_failed")


async def wake_orders(events: Sequence[StoredEvent]) -> None:
    """Queue the statuses of HubRise's orders."""
    await order_links.wake_orders(list_orders(events))


async def wake_menus(events: Sequence[StoredEvent]) -> None:
    """Queue menus that may have changed for HubRise."""
    if stores := list_stores(events):
        await outbound.wake_connections(stores)


EVENT_HANDLERS: Final = (
    EventHandler("hubrise_orders", wake_orders, (OrderStatusChanged,), DELIVERY_EVENTS),
    EventHandler("hubrise_menus", wake_menus, MENU_EVENTS),
)
