"""Changes a brand together with the items that name it.

An item is locked before its brand, here as in the saving of an item, so that the two never wait for each other. Which
items are a brand's is only sure once the brand is locked: if one has joined by then, all is let go and tried again.
"""

from collections.abc import Awaitable, Callable, Iterable

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound, Unavailable
from comanda.events.outbox import publish
from comanda.menu.events import Change, Entity, MenuUpdated
from comanda.menu.services import get_owned_store
from comanda.stores.models import Store
from tortoise.expressions import F

from comanda_goods.models import Brand

ATTEMPTS = 5

ITEMS = "SELECT item_id FROM goods_item_brand WHERE brand_id = $1 AND owner_id = $2"
LOCK = "SELECT id FROM core_menu_item WHERE id = ANY($1::bigint[]) AND owner_id = $2 ORDER BY id FOR NO KEY UPDATE"
RESPELL = """
    UPDATE core_menu_item SET attributes = jsonb_set(attributes, '{brand}', to_jsonb($3::text))
    WHERE id = ANY($1::bigint[]) AND owner_id = $2 AND attributes ->> 'brand' <> $3
    RETURNING id
"""


class _Joined(Exception):
    """An item has joined the brand since its items were locked."""


async def with_items(caller: Caller, store_id: int, brand_id: int, change: Callable[[Brand], Awaitable[None]]) -> None:
    """Let ``change`` save the brand, and spell its name in its items as it is now.

    Emits ``MenuUpdated`` for each item that was spelled otherwise. Raises ``NotFound``, ``Unavailable`` while items
    keep joining, and whatever ``change`` raises.
    """
    for _ in range(ATTEMPTS):
        try:
            async with sql.transaction():
                store = await get_owned_store(caller, store_id)
                brand, items = await _locked(store, brand_id)
                await change(brand)
                await _respell(store, brand, items)
        except _Joined:
            continue
        return
    raise Unavailable


async def _locked(store: Store, brand_id: int) -> tuple[Brand, set[int]]:
    items = await _items(store, brand_id)
    await sql.fetch(LOCK, list(items), store.owner_id)
    brand = await Brand.select_for_update().get_or_none(id=brand_id, store_id=store.id, owner_id=store.owner_id)
    if brand is None:
        raise NotFound
    if not await _items(store, brand_id) <= items:
        raise _Joined
    return brand, items


async def _items(store: Store, brand_id: int) -> set[int]:
    return {row["item_id"] for row in await sql.fetch(ITEMS, brand_id, store.owner_id)}


async def _respell(store: Store, brand: Brand, items: Iterable[int]) -> None:
    changed = await sql.fetch(RESPELL, list(items), store.owner_id, brand.name)
    if not changed:
        return
    await Store.filter(id=store.id, owner_id=store.owner_id).update(menu_version=F("menu_version") + 1)
    for item_id in sorted(row["id"] for row in changed):
        event = MenuUpdated(restaurant_id=store.id, change=Change.UPDATED, entity=Entity.ITEM, id=item_id)
        await publish(event, owner_id=store.owner_id, store_id=store.id)
