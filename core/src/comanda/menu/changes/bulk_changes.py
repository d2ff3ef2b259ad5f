"""Changes to many items of a menu at once: all of them or none."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from tortoise.queryset import QuerySet

from comanda.basics import clock
from comanda.basics.errors import ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.stores.menu_items import Item
from comanda.menu import models, services
from comanda.menu.bulk_schemas import ItemsChange
from comanda.menu.capabilities import attributes
from comanda.menu.changes import gallery
from comanda.menu.columns import to_columns
from comanda.menu.events import Change, Entity, MenuUpdated
from comanda.platform.db import sql
from comanda.platform.db.references import check_references
from comanda.platform.events.outbox import publish_all
from comanda.stores.models import Store

# In the order of menu.locks.
LOCK_ITEMS: Final = """
    SELECT id FROM core_menu_item WHERE store_id = $1 AND owner_id = $2 AND id = ANY($3::bigint[])
    ORDER BY id FOR UPDATE
"""
SELECT_ITEMS_BY_ATTRIBUTES: Final = """
    SELECT attributes::text AS attributes, array_agg(id) AS ids FROM core_menu_item
    WHERE store_id = $1 AND owner_id = $2 AND id = ANY($3::bigint[]) GROUP BY attributes
"""
LOCK_VARIANTS: Final = """
    SELECT id FROM core_variant WHERE store_id = $1 AND owner_id = $2 AND item_id = ANY($3::bigint[])
    ORDER BY id FOR UPDATE
"""


async def update_items(caller: Caller, store_id: int, body: ItemsChange) -> int:
    """Change the same fields of several items and return their number. Emits ``MenuUpdated`` for each of them.

    Raises ``NotFound``; ``ValidationFailed`` for ids of another store, a time that has passed, and if nothing changes.
    """
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        columns, has_fields = _to_columns(body, store.currency), attributes.check_bulk_fields(store, body)
        if not columns and not has_fields:
            raise ValidationFailed(item_ids=[Sentence("Choose at least one field to change.")])
        item_ids = await lock_items(store, body.item_ids)
        if body.category_id is not None:
            await services.check_category(store, body.category_id)
        if columns:
            await _filter(store, item_ids).update(**columns)
        if has_fields:
            await _update_attributes(store, body, item_ids)
        await record_item_changes(store, Change.UPDATED, item_ids)
    return len(item_ids)


async def delete_items(caller: Caller, store_id: int, item_ids: Sequence[int]) -> int:
    """Delete items and return their number; existing orders keep their names and prices.

    Emits ``MenuUpdated`` for each of them. Raises ``NotFound``; ``ValidationFailed`` for ids of another store;
    ``Conflict`` while a plugin refers to one of them and its foreign key says to keep it.
    """
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        locked = await lock_items(store, item_ids)
        await lock_variants(store, locked)
        await gallery.release_photos(store.owner_id, locked)
        async with check_references("An item"):
            await _filter(store, locked).delete()
        await record_item_changes(store, Change.DELETED, locked)
    return len(locked)


async def lock_items(store: Store, item_ids: Sequence[int]) -> list[int]:
    """Lock items of a store and return their ids, ascending. Raises ``ValidationFailed`` for those it does not have."""
    locked = [row["id"] for row in await sql.fetch(LOCK_ITEMS, store.id, store.owner_id, list(set(item_ids)))]
    check_known_ids("item_ids", item_ids, locked)
    return locked


async def lock_variants(store: Store, item_ids: Sequence[int]) -> None:
    await sql.fetch(LOCK_VARIANTS, store.id, store.owner_id, list(item_ids))


def check_known_ids(field: str, given: Sequence[int], known: Sequence[int]) -> None:
    """Raise ``ValidationFailed`` with the positions of ids that are not among the known ones."""
    there = frozenset(known)
    unknown = [(position, each) for position, each in enumerate(given) if each not in there]
    if unknown:
        raise ValidationFailed(
            {f"{field}.{position}": [f"No such id in this store: {each}."] for position, each in unknown[:100]}
        )


async def record_item_changes(store: Store, change: Change, item_ids: Sequence[int]) -> None:
    """Bump the menu's version once and publish ``MenuUpdated`` for each item, in the open transaction."""
    if item_ids:
        await services.bump_version(store)
        events = [MenuUpdated(restaurant_id=store.id, change=change, entity=Entity.ITEM, id=each) for each in item_ids]
        await publish_all(events, owner_id=store.owner_id, store_id=store.id)


async def _update_attributes(store: Store, body: ItemsChange, item_ids: Sequence[int]) -> None:
    """Change fields of item capabilities; items whose values are the same are written at once."""
    for row in await sql.fetch(SELECT_ITEMS_BY_ATTRIBUTES, store.id, store.owner_id, item_ids):
        values = attributes.parse_attributes(store, body, orjson.loads(row["attributes"]))
        await _filter(store, row["ids"]).update(attributes=values)


def _filter(store: Store, item_ids: Sequence[int]) -> QuerySet[models.Item]:
    return models.Item.filter(id__in=item_ids, store_id=store.id, owner_id=store.owner_id)


def _to_columns(body: ItemsChange, currency: str) -> Mapping[str, Any]:
    if body.until is not None and body.until <= clock.now():
        raise ValidationFailed(until=[Sentence("This time has passed.")])
    columns = to_columns(Item, body, currency)
    if body.until is not None:
        columns.setdefault("is_sold_out", True)
    if "is_sold_out" in columns:
        columns["sold_out_until"] = body.until if columns["is_sold_out"] else None
    return columns
