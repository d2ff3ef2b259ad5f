"""Events of orders and menus wake what HubRise has to know of them."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import EventHandler, Status, StoredEvent
from comanda.menu import MenuUpdated
from comanda.orders import OrderCreated, OrderStatusChanged

from comanda_hubrise.services import order_links, outbound

# Of the plugin drivers, which need not be installed.
DELIVERY_EVENTS: Final = ("order.out_for_delivery", "order.delivered", "order.delivery_failed")


async def wake_orders(events: Sequence[StoredEvent]) -> None:
    """Queue the statuses of HubRise's orders."""
    await order_links.wake_orders(sorted({(event.owner_id, int(str(event.data["order_id"]))) for event in events}))


async def wake_menus(events: Sequence[StoredEvent]) -> None:
    """Queue menus that may have changed for HubRise; orders take stock, and give it back when they are cancelled."""
    stores = {
        (event.owner_id, event.store_id) for event in events if event.store_id is not None and _may_change_menu(event)
    }
    if stores:
        await outbound.wake_connections(sorted(stores))


def _may_change_menu(event: StoredEvent) -> bool:
    return event.name != OrderStatusChanged.name or Status.CANCELLED in (event.data.get("from"), event.data.get("to"))


EVENT_HANDLERS: Final = (
    EventHandler("hubrise_orders", wake_orders, (OrderStatusChanged,), DELIVERY_EVENTS),
    EventHandler("hubrise_menus", wake_menus, (MenuUpdated, OrderCreated, OrderStatusChanged)),
)
