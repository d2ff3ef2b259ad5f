"""The caller's store as a laundry, and the lock of one of its orders."""

from comanda.basics import Conflict, NotFound, Sentence
from comanda.contracts import Caller, PlacedOrder
from comanda.orders import status
from comanda.platform.db import sql
from comanda.stores import find_vertical, require_store

from comanda_laundry.item_capabilities import GARMENT_CARE
from comanda_laundry.services.order_rows import CLOSED


async def require_laundry(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's store. Raises ``NotFound``; ``Conflict`` for one that cleans nothing."""
    store = await require_store(caller, store_id)
    vertical = find_vertical(store["store_type"])
    if vertical is None or GARMENT_CARE.code not in vertical.capabilities:
        raise Conflict(Sentence("This store is not a laundry."), extras={"reason": "not_a_laundry"})
    return store


async def lock_open_order(caller: Caller, store_id: int, order_id: int) -> PlacedOrder:
    """Lock an order until the open transaction ends. Raises ``NotFound``; ``Conflict`` for one that is closed."""
    if not caller.reaches(store_id):
        raise NotFound
    order = await status.lock_order(caller.owner_id, order_id, store_id)
    if order.status in CLOSED:
        raise Conflict(Sentence("The order is closed."), extras={"reason": "order_closed"})
    return order
