"""Keeps brands in step with what items say: called in the transaction that writes an item, with its row locked.

Whoever takes a brand for an item holds it with ``FOR KEY SHARE``, and whoever renames or deletes one with
``FOR UPDATE``: so while the second has it, no item joins it.
"""

from comanda.contracts.verticals import Values
from comanda.db import sql
from comanda.errors import Unavailable
from comanda.stores.models import Store

from comanda_goods.naming import name_key, slugs

FIND = "SELECT id FROM goods_brand WHERE store_id = $1 AND owner_id = $2 AND name_key = $3 FOR KEY SHARE"
# Waits for another item that names the same new brand at this moment; its brand or its address may then be taken.
MAKE = """
    INSERT INTO goods_brand (store_id, owner_id, name_key, name, slug) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
"""
LINK = """
    INSERT INTO goods_item_brand (item_id, owner_id, brand_id) VALUES ($1, $2, $3)
    ON CONFLICT (item_id, owner_id) DO UPDATE SET brand_id = excluded.brand_id
"""
UNLINK = "DELETE FROM goods_item_brand WHERE item_id = $1 AND owner_id = $2"


async def brand_saved(store: Store, item_id: int, values: Values) -> None:
    """Link an item to the brand that it names now, which is made if the store has none of that name."""
    name = values.get("brand")
    if name is None:
        await sql.execute(UNLINK, item_id, store.owner_id)
    else:
        await sql.execute(LINK, item_id, store.owner_id, await _brand_id(store, name))


async def _brand_id(store: Store, name: str) -> int:
    key = name_key(name)
    for slug in slugs(name):
        found = await sql.fetch_value(FIND, store.id, store.owner_id, key)
        if found is not None:
            return int(found)
        await sql.execute(MAKE, store.id, store.owner_id, key, name, slug)
    found = await sql.fetch_value(FIND, store.id, store.owner_id, key)
    if found is None:
        raise Unavailable
    return int(found)
