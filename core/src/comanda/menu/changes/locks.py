"""Lock order of the rows of a menu and its stock, which prevents deadlocks between edits and orders.

1. a category, if an item is added to it or it is deleted
2. items, by id
3. a category that an item moves to, and a brand
4. variants, by id, with those that the extras of combos are; extras and their groups under the lock of their item
5. the store's row, for the versions of its menu and its stock
6. the tally of its orders

An order that is changed is locked before all of these, as are a coupon, a cart and a time slot that it uses. Orders and
refunds move stock with ``orders.stock``, which locks 2, 4 and 5 in this order; menu edits lock the item first and the
store last, in ``menu.services.record_change``.
"""

from collections.abc import Iterable

from comanda.basics.errors import NotFound
from comanda.menu.models import Item
from comanda.menu.schemas import ExtraGroupBody
from comanda.platform.db import sql
from comanda.stores.models import Store

# An UPDATE, DELETE or cascade over several rows would lock them in no particular order.
LOCK_ITEMS = """
    SELECT id FROM core_menu_item WHERE id = ANY($1::bigint[]) AND store_id = $2 AND owner_id = $3
    ORDER BY id FOR UPDATE
"""
LOCK_VARIANTS = """
    SELECT id FROM core_variant WHERE (id = ANY($1::bigint[]) OR item_id = $2) AND store_id = $3 AND owner_id = $4
    ORDER BY id FOR UPDATE
"""
LOCK_VARIANTS_OF_ITEM = "SELECT id FROM core_variant WHERE item_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE"


async def lock_item(store: Store, item_id: int) -> Item:
    """Lock and return an item of the store. Raises ``NotFound``."""
    found = await Item.select_for_update().get_or_none(id=item_id, store_id=store.id, owner_id=store.owner_id)
    if found is None:
        raise NotFound
    return found


async def lock_item_with_variants(store: Store, item_id: int) -> Item:
    """Lock an item and then its variants, and return the item. Raises ``NotFound``."""
    found = await lock_item(store, item_id)
    await sql.fetch(LOCK_VARIANTS_OF_ITEM, found.id, store.owner_id)
    return found


async def lock_choices(store: Store, item_id: int | None, groups: Iterable[ExtraGroupBody]) -> None:
    """Lock the items and variants that extras are, together with the item that gets these extras if it exists.

    Without extras that are items, nothing is locked.
    """
    chosen = [extra for group in groups for extra in group.extras if extra.item_id is not None]
    if not chosen:
        return
    items = {item_id, *(extra.item_id for extra in chosen)} - {None}
    variants = {extra.variation for extra in chosen} - {None}
    await sql.fetch(LOCK_ITEMS, list(items), store.id, store.owner_id)
    await sql.fetch(LOCK_VARIANTS, list(variants), item_id, store.id, store.owner_id)
