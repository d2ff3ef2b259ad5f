"""Updates of a brand together with the items that name it.

Items are locked before their brand, as when an item is saved, so that the two cannot deadlock. The items of a brand
are only known for certain once the brand is locked: if one was added in between, the transaction is rolled back and
retried.
"""

from collections.abc import Awaitable, Callable

from comanda.basics import NotFound, Unavailable
from comanda.contracts import Caller
from comanda.menu import get_owned_store, replace_attribute
from comanda.platform.db import sql
from comanda.stores import Store

from comanda_goods.models import Brand

MAX_ATTEMPTS = 5

SELECT_BRAND_ITEMS = "SELECT item_id FROM goods_item_brand WHERE brand_id = $1 AND owner_id = $2"
LOCK_ITEMS = (
    "SELECT id FROM core_menu_item_v1 WHERE id = ANY($1::bigint[]) AND owner_id = $2 ORDER BY id FOR NO KEY UPDATE"
)


class _BrandItemsChanged(Exception):
    """An item was added to the brand after its items had been locked."""


async def update_brand_with_items(
    caller: Caller, store_id: int, brand_id: int, change: Callable[[Brand], Awaitable[None]]
) -> None:
    """Update a brand with ``change`` and write its name to all of its items.

    Emits ``MenuUpdated`` for each item whose spelling changes. Raises ``NotFound``, ``Unavailable`` if items keep being
    added to the brand, and whatever ``change`` raises.
    """
    for _ in range(MAX_ATTEMPTS):
        try:
            async with sql.transaction():
                store = await get_owned_store(caller, store_id)
                brand, items = await _lock_brand_and_items(store, brand_id)
                await change(brand)
                await replace_attribute(store, items, "brand", brand.name)
        except _BrandItemsChanged:
            continue
        return
    raise Unavailable


async def _lock_brand_and_items(store: Store, brand_id: int) -> tuple[Brand, set[int]]:
    items = await _get_item_ids(store, brand_id)
    await sql.fetch(LOCK_ITEMS, list(items), store.owner_id)
    brand = await Brand.select_for_update().get_or_none(id=brand_id, store_id=store.id, owner_id=store.owner_id)
    if brand is None:
        raise NotFound
    if not await _get_item_ids(store, brand_id) <= items:
        raise _BrandItemsChanged
    return brand, items


async def _get_item_ids(store: Store, brand_id: int) -> set[int]:
    return {row["item_id"] for row in await sql.fetch(SELECT_BRAND_ITEMS, brand_id, store.owner_id)}
