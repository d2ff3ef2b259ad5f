"""The order of categories in a menu and of items in a category."""

from collections.abc import Sequence
from typing import Final

from comanda.basics.errors import ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.menu import services
from comanda.menu.bulk_schemas import PositionsBody
from comanda.menu.changes import bulk_changes
from comanda.menu.events import Change, Entity, MenuUpdated
from comanda.platform.db import sql
from comanda.platform.events.outbox import publish_all
from comanda.stores.models import Store

LOCK_CATEGORIES: Final = """
    WITH locked AS (
        SELECT id, position FROM core_menu_category WHERE store_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE)
    SELECT id, position FROM locked ORDER BY position, id
"""
LOCK_ITEMS_OF_CATEGORY: Final = """
    WITH locked AS (
        SELECT id, position FROM core_menu_item
        WHERE store_id = $1 AND owner_id = $2 AND category_id = $3 ORDER BY id FOR UPDATE)
    SELECT id, position FROM locked ORDER BY position, id
"""
SELECT_CATEGORIES_OF_ITEMS: Final = """
    SELECT id, category_id FROM core_menu_item WHERE store_id = $1 AND owner_id = $2 AND id = ANY($3::bigint[])
"""
UPDATE_CATEGORIES: Final = """
    UPDATE core_menu_category t SET position = n.position
    FROM unnest($2::bigint[], $3::int[]) AS n(id, position) WHERE t.id = n.id AND t.owner_id = $1
"""
UPDATE_ITEMS: Final = """
    UPDATE core_menu_item t SET position = n.position
    FROM unnest($2::bigint[], $3::int[]) AS n(id, position) WHERE t.id = n.id AND t.owner_id = $1
"""


async def sort_menu(caller: Caller, store_id: int, body: PositionsBody) -> int:
    """Put the listed categories, or items of one category, into this order; the others keep their places.

    Return how many positions changed. Emits ``MenuUpdated`` for each of them. Raises ``NotFound``, and
    ``ValidationFailed`` for ids of another store or of several categories.
    """
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        if body.category_ids is None and body.item_ids is None:
            raise ValidationFailed(item_ids=["Give category_ids or item_ids."])
        moved = 0
        if body.category_ids is not None:
            rows = await sql.fetch(LOCK_CATEGORIES, store.id, store.owner_id)
            moved += await _apply(store, Entity.CATEGORY, "category_ids", body.category_ids, rows)
        if body.item_ids is not None:
            category_id = await _get_category(store, body.item_ids)
            rows = await sql.fetch(LOCK_ITEMS_OF_CATEGORY, store.id, store.owner_id, category_id)
            moved += await _apply(store, Entity.ITEM, "item_ids", body.item_ids, rows)
        if moved:
            await services.bump_version(store)
    return moved


def place(current: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """Return the ids in their current order, with the wanted ones in their new order in the places that they held."""
    moved = iter(dict.fromkeys(wanted))
    listed = frozenset(wanted)
    return [next(moved) if each in listed else each for each in current]


async def _get_category(store: Store, item_ids: Sequence[int]) -> int:
    rows = await sql.fetch(SELECT_CATEGORIES_OF_ITEMS, store.id, store.owner_id, list(item_ids))
    bulk_changes.check_known_ids("item_ids", item_ids, [row["id"] for row in rows])
    found = {row["category_id"] for row in rows}
    if len(found) != 1:
        raise ValidationFailed(item_ids=[Sentence("All items must be of one category.")])
    return int(found.pop())


async def _apply(store: Store, entity: Entity, field: str, wanted: Sequence[int], rows: Sequence[sql.Row]) -> int:
    before = {row["id"]: row["position"] for row in rows}
    bulk_changes.check_known_ids(field, wanted, list(before))
    after = {id: position for position, id in enumerate(place(list(before), wanted), 1)}
    moved = sorted(id for id, position in after.items() if before[id] != position)
    if moved:
        statement = UPDATE_CATEGORIES if entity is Entity.CATEGORY else UPDATE_ITEMS
        await sql.execute(statement, store.owner_id, moved, [after[id] for id in moved])
        events = [MenuUpdated(restaurant_id=store.id, change=Change.UPDATED, entity=entity, id=id) for id in moved]
        await publish_all(events, owner_id=store.owner_id, store_id=store.id)
    return len(moved)
