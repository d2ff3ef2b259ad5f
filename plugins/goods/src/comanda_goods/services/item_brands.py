"""The link between an item and its brand, updated in the transaction that writes the item, with its row locked.

Linking an item locks the brand with ``FOR KEY SHARE``; renaming or deleting a brand locks it with ``FOR UPDATE``. No
item can therefore be linked to a brand that is being renamed or deleted.
"""

from comanda.basics import Unavailable
from comanda.contracts import StoreKey, Values
from comanda.platform.db import sql

from comanda_goods.services.brand_names import suggest_slugs, to_name_key

SELECT_BRAND_BY_NAME = (
    "SELECT id FROM goods_brand WHERE store_id = $1 AND owner_id = $2 AND name_key = $3 FOR KEY SHARE"
)
# Waits for a concurrent transaction that creates the same brand. Afterwards its name or slug may be taken.
INSERT_BRAND = """
    INSERT INTO goods_brand (store_id, owner_id, name_key, name, slug) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
"""
UPSERT_ITEM_BRAND = """
    INSERT INTO goods_item_brand (item_id, owner_id, brand_id) VALUES ($1, $2, $3)
    ON CONFLICT (item_id, owner_id) DO UPDATE SET brand_id = excluded.brand_id
"""
DELETE_ITEM_BRAND = "DELETE FROM goods_item_brand WHERE item_id = $1 AND owner_id = $2"


async def link_item_brand(store: StoreKey, item_id: int, values: Values) -> None:
    """Update an item's link to the brand it names, creating the brand if the store has none of that name."""
    name = values.get("brand")
    if name is None:
        await sql.execute(DELETE_ITEM_BRAND, item_id, store.owner_id)
    else:
        await sql.execute(UPSERT_ITEM_BRAND, item_id, store.owner_id, await _get_or_create_brand_id(store, name))


async def _get_or_create_brand_id(store: StoreKey, name: str) -> int:
    key = to_name_key(name)
    for slug in suggest_slugs(name):
        found = await sql.fetch_value(SELECT_BRAND_BY_NAME, store.id, store.owner_id, key)
        if found is not None:
            return int(found)
        await sql.execute(INSERT_BRAND, store.id, store.owner_id, key, name, slug)
    found = await sql.fetch_value(SELECT_BRAND_BY_NAME, store.id, store.owner_id, key)
    if found is None:
        raise Unavailable
    return int(found)
