"""Events of orders and menus wake what HubRise has to know of them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from comanda.contracts import EventHandler, Status, StoredEvent
from comanda.menu import MenuUpdated
from comanda.orders import OrderCreated, OrderStatusChanged

from comanda_hubrise.services import order_links, outbound

# Of the plugin drivers, which need not be installed.
DELIVERY_EVENTS: Final = ("order.out_for_delivery", "order.delivered", "order.delivery_failed")


async def wake_orders(events: Sequence[StoredEvent]) -> None:
    """Have HubRise told of the statuses of its orders."""
    order_ids: defaultdict[int, set[int]] = defaultdict(set)
    for event in events:
        order_ids[event.owner_id].add(int(str(event.data["order_id"])))
    for owner_id, ids in order_ids.items():
        await order_links.wake_orders(owner_id, sorted(ids))


async def wake_menus(events: Sequence[StoredEvent]) -> None:
    """Have HubRise told of menus that may have changed; orders take stock, and give it back when they are cancelled."""
    stores: defaultdict[int, set[int]] = defaultdict(set)
    for event in events:
        is_stock_same = event.name == OrderStatusChanged.name and Status.CANCELLED not in {
            event.data.get("from"),
            event.data.get("to"),
        }
        if event.store_id is not None and not is_stock_same:
            stores[event.owner_id].add(event.store_id)
    for owner_id, ids in stores.items():
        await outbound.wake_connections(owner_id, sorted(ids))


EVENT_HANDLERS: Final = (
    EventHandler("hubrise_orders", wake_orders, (OrderStatusChanged,), DELIVERY_EVENTS),
    EventHandler("hubrise_menus", wake_menus, (MenuUpdated, OrderCreated, OrderStatusChanged)),
)
