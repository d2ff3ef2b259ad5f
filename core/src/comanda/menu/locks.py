"""Lock order of the rows of a menu and its stock, which prevents deadlocks between edits and orders.

1. a category, if an item is added to it or it is deleted
2. items, by id
3. a category that an item moves to, and a brand
4. variants, by id; extras and their groups under the lock of their item
5. the store's row, for the versions of its menu and its stock
6. the tally of its orders

An order that is changed is locked before all of these, as are a coupon, a cart and a time slot that it uses. Orders and
refunds move stock with ``orders.stock``, which locks 2, 4 and 5 in this order; menu edits lock the item first and the
store last, in ``menu.services.record_change``.
"""

from comanda.basics.errors import NotFound
from comanda.menu.models import ItemModel
from comanda.platform.db import sql
from comanda.stores.models import Store

# An UPDATE, DELETE or cascade over several rows would lock them in no particular order.
LOCK_VARIANTS_OF_ITEM = "SELECT id FROM core_variant WHERE item_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE"


async def lock_item(store: Store, item_id: int) -> ItemModel:
    """Lock and return an item of the store. Raises ``NotFound``."""
    found = await ItemModel.select_for_update().get_or_none(id=item_id, store_id=store.id, owner_id=store.owner_id)
    if found is None:
        raise NotFound
    return found


async def lock_item_with_variants(store: Store, item_id: int) -> ItemModel:
    """Lock an item and then its variants, and return the item. Raises ``NotFound``."""
    found = await lock_item(store, item_id)
    await sql.fetch(LOCK_VARIANTS_OF_ITEM, found.id, store.owner_id)
    return found
