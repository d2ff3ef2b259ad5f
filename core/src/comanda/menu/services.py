"""Management of menus. Every change bumps the menu's version and publishes an event."""

from collections.abc import Collection
from typing import Any

from tortoise.expressions import F

from comanda.basics import clock
from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.stores.menu_items import Item
from comanda.menu import models
from comanda.menu.capabilities import attributes
from comanda.menu.capabilities.orderability import list_menu_orderability
from comanda.menu.changes import choices, gallery, locks
from comanda.menu.columns import to_columns
from comanda.menu.events import Change, Entity, MenuUpdated
from comanda.menu.models import Category
from comanda.menu.quota import ITEMS
from comanda.menu.reading.queries import load_menu
from comanda.menu.records import MenuCategory, SoldOutFlag, StoreItem
from comanda.menu.schemas import CategoryBody, CategoryChange, ItemBody, ItemChange, SoldOutBody
from comanda.platform.db import sql
from comanda.platform.db.references import check_references
from comanda.platform.entitlements import require_quota
from comanda.platform.events.outbox import publish
from comanda.stores.models import Store
from comanda.stores.records import find_vertical

REPLACE_ATTRIBUTE = """
    UPDATE core_menu_item SET attributes = jsonb_set(attributes, ARRAY[$3::text], to_jsonb($4::text))
    WHERE id = ANY($1::bigint[]) AND owner_id = $2 AND attributes ->> $3 <> $4
    RETURNING id
"""


async def get_item(caller: Caller, store_id: int, item_id: int) -> StoreItem:
    """Return an item. Raises ``NotFound`` for an item of another owner or store."""
    data = await load_menu(store_id, [item_id]) if caller.reaches(store_id) else None
    if data is None or data.store["owner_id"] != caller.owner_id or not data.items:
        raise NotFound
    vertical, limited = find_vertical(data.store["store_type"]), list_menu_orderability(data)
    return StoreItem(data.items[0], vertical, data.store["currency"], limited.get(item_id))


async def create_category(caller: Caller, store_id: int, body: CategoryBody) -> MenuCategory:
    """Create a category. Emits ``MenuUpdated``."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        category = await Category.create(owner_id=caller.owner_id, store_id=store.id, **body.model_dump())
        await record_change(store, Change.CREATED, Entity.CATEGORY, category.id)
    return _to_category(category)


async def update_category(caller: Caller, store_id: int, category_id: int, body: CategoryChange) -> MenuCategory:
    """Update a category. Emits ``MenuUpdated``."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        category = await _lock_category(store, category_id)
        columns = body.model_dump(exclude_unset=True, exclude_none=True)
        if columns:
            category.update_from_dict(columns)
            await category.save(update_fields=list(columns))
        await record_change(store, Change.UPDATED, Entity.CATEGORY, category.id)
    return _to_category(category)


async def delete_category(caller: Caller, store_id: int, category_id: int) -> None:
    """Delete an empty category. Emits ``MenuUpdated``; raises ``Conflict`` while it has items or is in use."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        category = await _lock_category(store, category_id)
        count = await models.Item.filter(category_id=category.id, owner_id=store.owner_id).count()
        if count:
            items = "1 item" if count == 1 else f"{count} items"
            raise Conflict(f"{category.name} still has {items}.", extras={"items_count": count})
        async with check_references(category.name):
            await category.delete()
        await record_change(store, Change.DELETED, Entity.CATEGORY, category_id)


async def create_item(caller: Caller, store_id: int, body: ItemBody) -> StoreItem:
    """Create an item with its variations and extras. Emits ``MenuUpdated``.

    Raises ``NotFound``, and ``ValidationFailed`` for invalid fields and beyond the number of items of the owner's plan.
    """
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        await require_quota(store.owner_id, ITEMS.code)
        await check_category(store, body.category_id)
        await locks.lock_choices(store, None, body.extra_groups)
        item = await insert_item(store, body)
        await record_change(store, Change.CREATED, Entity.ITEM, item.id)
    return await get_item(caller, store_id, item.id)


async def update_item(caller: Caller, store_id: int, item_id: int, body: ItemChange) -> StoreItem:
    """Update an item; fields left out stay as they are. Emits ``MenuUpdated``."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        await locks.lock_choices(store, item_id, body.extra_groups or ())
        lock = locks.lock_item if body.variations is None else locks.lock_item_with_variants
        found = await lock(store, item_id)
        if body.category_id is not None:
            await check_category(store, body.category_id)
        await write_item(store, found, body)
        await record_change(store, Change.UPDATED, Entity.ITEM, item_id)
    return await get_item(caller, store_id, item_id)


async def insert_item(store: Store, body: ItemBody) -> models.Item:
    """Insert an item in the open transaction, without publishing an event."""
    values = attributes.parse_attributes(store, body, {})
    item = await models.Item.create(
        owner_id=store.owner_id,
        store_id=store.id,
        created_at=clock.now(),
        attributes=values,
        **_to_columns(store, body),
    )
    await attributes.save_attributes(store, item.id, values, {})
    if body.gallery:
        await gallery.replace_pictures(store, item.id, body.gallery)
    if body.variations:
        await choices.replace_variations(store, item.id, body.variations)
    if body.extra_groups:
        await choices.replace_groups(store, item.id, body.extra_groups)
    return item


async def write_item(store: Store, found: models.Item, body: ItemChange) -> None:
    """Write changes of a locked item in the open transaction, without publishing an event."""
    columns = _to_columns(store, body)
    before = found.attributes
    columns["attributes"] = attributes.parse_attributes(store, body, before)
    if "is_sold_out" in columns:
        columns["sold_out_until"] = None
    found.update_from_dict(columns)
    await found.save(update_fields=list(columns))
    await attributes.save_attributes(store, found.id, columns["attributes"], before)
    if body.gallery is not None:
        await gallery.replace_pictures(store, found.id, body.gallery)
    if body.variations is not None:
        await choices.replace_variations(store, found.id, body.variations)
    if body.extra_groups is not None:
        await choices.replace_groups(store, found.id, body.extra_groups)


async def delete_item(caller: Caller, store_id: int, item_id: int) -> None:
    """Delete an item; existing orders keep its name and price.

    Emits ``MenuUpdated``. Raises ``Conflict`` while a plugin refers to the item and its foreign key says to keep it.
    """
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        item = await locks.lock_item_with_variants(store, item_id)
        await gallery.release_photos(store.owner_id, [item_id])
        async with check_references(item.name):
            await item.delete()
        await record_change(store, Change.DELETED, Entity.ITEM, item_id)


async def replace_attribute(store: Store, item_ids: Collection[int], name: str, value: str) -> None:
    """Replace a text in the attributes of items that have another. Emits ``MenuUpdated`` for each that changes.

    In the open transaction, whose caller has locked the items.
    """
    changed = await sql.fetch(REPLACE_ATTRIBUTE, list(item_ids), store.owner_id, name, value)
    if changed:
        await bump_version(store)
    for item_id in sorted(row["id"] for row in changed):
        await publish_change(store, Change.UPDATED, Entity.ITEM, item_id)


async def set_sold_out(caller: Caller, store_id: int, item_id: int, body: SoldOutBody) -> SoldOutFlag:
    """Set or toggle the sold-out flag, permanently or until a time. Emits ``MenuUpdated``."""
    moment = clock.now()
    if body.until is not None and body.until <= moment:
        raise ValidationFailed(until=[Sentence("This time has passed.")])
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        found = await lock_item(store, item_id)
        is_now = found.is_sold_out and (found.sold_out_until is None or found.sold_out_until > moment)
        if body.is_sold_out is None:
            # A time alone always means sold out, whatever the flag was before.
            found.is_sold_out = body.until is not None or not is_now
        else:
            found.is_sold_out = body.is_sold_out
        found.sold_out_until = body.until if found.is_sold_out else None
        await found.save(update_fields=["is_sold_out", "sold_out_until"])
        await record_change(store, Change.UPDATED, Entity.ITEM, item_id)
    return SoldOutFlag(item_id, found.is_sold_out, found.sold_out_until)


async def get_owned_store(caller: Caller, store_id: int) -> Store:
    """Return the caller's store. Raises ``NotFound``.

    The row is not locked, because it comes last in the order of ``menu.locks``.
    """
    store = await Store.get_or_none(id=store_id, owner_id=caller.owner_id)
    if store is None or not caller.reaches(store_id):
        raise NotFound
    return store


async def lock_item(store: Store, item_id: int) -> models.Item:
    """Lock and return an item of the store. Raises ``NotFound``."""
    return await locks.lock_item(store, item_id)


async def record_change(store: Store, change: Change, entity: Entity, entity_id: int) -> None:
    """Bump the menu's version and publish ``MenuUpdated``, in the open transaction."""
    await bump_version(store)
    await publish_change(store, change, entity, entity_id)


async def bump_version(store: Store) -> None:
    """Make every process reload the menu. The store's row is the last one that a change locks."""
    await Store.filter(id=store.id, owner_id=store.owner_id).update(menu_version=F("menu_version") + 1)


async def publish_change(store: Store, change: Change, entity: Entity, entity_id: int) -> None:
    """Publish ``MenuUpdated``."""
    event = MenuUpdated(restaurant_id=store.id, change=change, entity=entity, id=entity_id)
    await publish(event, owner_id=store.owner_id, store_id=store.id)


async def _lock_category(store: Store, category_id: int) -> Category:
    # Locked, so that no item can be added between the count and the deletion.
    found = await Category.select_for_update().get_or_none(id=category_id, store_id=store.id, owner_id=store.owner_id)
    if found is None:
        raise NotFound
    return found


async def check_category(store: Store, category_id: int) -> None:
    """Lock a category that an item moves to. Raises ``ValidationFailed`` if the store does not have it."""
    found = Category.select_for_update(no_key=True).filter(id=category_id, store_id=store.id, owner_id=store.owner_id)
    if not await found.first():
        raise ValidationFailed(category_id=[f"This store has no category {category_id}."])


def _to_category(category: Category) -> MenuCategory:
    return MenuCategory(category.id, category.name, category.position, category.is_active)


def _to_columns(store: Store, body: ItemBody | ItemChange) -> dict[str, Any]:
    """Return the columns for the given fields of a body."""
    columns = to_columns(Item, body, store.currency)
    vertical = find_vertical(store.store_type)
    if vertical is None or "stock" not in vertical.capabilities:
        columns.pop("stock", None)
    return columns
