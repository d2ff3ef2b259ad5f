"""The order in which rows of a menu and its stock are locked; whoever changes several of them keeps to it.

1. a category, where an item is added to it or it is deleted
2. items, by id
3. a category that an item moves to, and a brand
4. variants, by id; extras and their groups under the lock of their item
5. the store's row, for the versions of its menu and its stock
6. the tally of its orders

An order that is being changed is locked before all of these, and so are a coupon, a cart and a slot that it takes.
Orders and refunds move stock through ``orders.stock``, which locks 2, 4 and 5 in this order; menu edits lock the
item first and the store, in ``menu.services.changed``, last. Two transactions that follow this order never wait for
each other in a circle, which PostgreSQL would end by failing one of them.
"""

from comanda.db import sql
from comanda.errors import NotFound
from comanda.menu.models import Item
from comanda.stores.models import Store

# An UPDATE or DELETE of several rows locks them as it comes across them, and a cascade does too.
VARIANTS_OF_ITEM = "SELECT id FROM core_variant WHERE item_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE"


async def lock_item(store: Store, item_id: int) -> Item:
    """Return and lock an item of the store. Raises ``NotFound``."""
    found = await Item.select_for_update().get_or_none(id=item_id, store_id=store.id, owner_id=store.owner_id)
    if found is None:
        raise NotFound
    return found


async def lock_item_with_variants(store: Store, item_id: int) -> Item:
    """Return and lock an item and then its variants, for changes of several of them. Raises ``NotFound``."""
    found = await lock_item(store, item_id)
    await sql.fetch(VARIANTS_OF_ITEM, found.id, store.owner_id)
    return found
