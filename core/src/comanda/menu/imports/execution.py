"""Execution of an import plan, in the open transaction."""

from typing import Any

from comanda.menu import choices, gallery, services
from comanda.menu.events import Change, Entity
from comanda.menu.imports.plan import ImportPlan, PlannedCategory, PlannedItem
from comanda.menu.models import CategoryModel, ItemModel, VariantModel
from comanda.menu.schemas import ItemBody, ItemChange, PictureBody
from comanda.platform.db import sql
from comanda.platform.db.references import check_references
from comanda.stores.models import Store

# The same lock order as for orders: items by id, variants by id, the store last.
LOCK_ITEMS_AND_VARIANTS = (
    "SELECT id FROM core_menu_item WHERE store_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE",
    "SELECT id FROM core_variant WHERE store_id = $1 AND owner_id = $2 ORDER BY id FOR UPDATE",
)
# Imports of one menu run one after the other, so that the second one finds what the first one created.
LOCK_IMPORT = "SELECT pg_advisory_xact_lock(hashtextextended('menu_import:' || $1::bigint, 0))"
# Lets two variants swap their SKUs.
CLEAR_SKUS = "UPDATE core_variant SET sku = NULL WHERE id = ANY($1::bigint[]) AND owner_id = $2"


async def lock_menu(store: Store) -> None:
    """Lock a store's menu against other imports, edits and orders."""
    await sql.execute(LOCK_IMPORT, store.id)
    for statement in LOCK_ITEMS_AND_VARIANTS:
        await sql.fetch(statement, store.id, store.owner_id)


async def apply_plan(store: Store, plan: ImportPlan) -> dict[int, int]:
    """Apply a plan, bump the menu's version once, and publish one event per changed item and category.

    Return the ids of created rows by the identity of their part of the plan.
    """
    changes: list[tuple[Change, Entity, int]] = []
    created_ids: dict[int, int] = {}
    swapped = [v.id for c in plan.categories for i in c.items for v in i.variants if v.id and "sku" in v.columns]
    await sql.execute(CLEAR_SKUS, swapped, store.owner_id)
    removed_variants = [variant_id for c in plan.categories for i in c.items for variant_id in i.removed_variants]
    if removed_variants:
        async with check_references("A variation"):
            await VariantModel.filter(id__in=removed_variants, owner_id=store.owner_id).delete()
    for category in plan.categories:
        category_id = await _apply_category(store, category, changes)
        created_ids[id(category)] = category_id
        for item in category.items:
            created_ids[id(item)] = await _apply_item(store, category_id, item, changes)
    await _apply_removals(store, plan, changes)
    if changes:
        await services.bump_version(store)
        for change, entity, entity_id in changes:
            await services.publish_change(store, change, entity, entity_id)
    return created_ids


async def _apply_category(store: Store, category: PlannedCategory, changes: list[tuple[Change, Entity, int]]) -> int:
    if category.id is None:
        row = await CategoryModel.create(owner_id=store.owner_id, store_id=store.id, **category.columns)
        changes.append((Change.CREATED, Entity.CATEGORY, row.id))
        return int(row.id)
    if category.columns:
        await CategoryModel.filter(id=category.id, owner_id=store.owner_id).update(**category.columns)
        changes.append((Change.UPDATED, Entity.CATEGORY, category.id))
    return category.id


async def _apply_item(
    store: Store, category_id: int, item: PlannedItem, changes: list[tuple[Change, Entity, int]]
) -> int:
    fields: dict[str, Any] = {**item.fields, **item.more_fields}
    if "gallery" in fields:
        fields["gallery"] = [PictureBody(url=picture.url, alt=picture.alt) for picture in fields["gallery"]]
    if item.id is None:
        fields |= {"category_id": category_id, "name": item.name}
        row = await services.insert_item(store, ItemBody.model_construct(**fields))
        changes.append((Change.CREATED, Entity.ITEM, row.id))
    elif item.changed:
        row = await ItemModel.get(id=item.id, owner_id=store.owner_id)
        if "category_id" in fields:
            fields["category_id"] = category_id
        await services.write_item(store, row, ItemChange.model_construct(**fields))
        changes.append((Change.UPDATED, Entity.ITEM, row.id))
    else:
        return item.id
    for variant in item.variants:
        if variant.id is None:
            await VariantModel.create(owner_id=store.owner_id, store_id=store.id, item_id=row.id, **variant.columns)
        else:
            await VariantModel.filter(id=variant.id, owner_id=store.owner_id).update(**variant.columns)
    if item.groups is not None:
        await choices.replace_groups(store, row.id, item.groups)
    return int(row.id)


async def _apply_removals(store: Store, plan: ImportPlan, changes: list[tuple[Change, Entity, int]]) -> None:
    items = [item.id for item in plan.removed_items]
    categories = [category.id for category in plan.removed_categories]
    if items:
        await gallery.release_photos(store.owner_id, items)
        async with check_references("An item"):
            await ItemModel.filter(id__in=items, store_id=store.id, owner_id=store.owner_id).delete()
    if categories:
        async with check_references("A category"):
            await CategoryModel.filter(id__in=categories, store_id=store.id, owner_id=store.owner_id).delete()
    changes += [(Change.DELETED, Entity.ITEM, item_id) for item_id in items]
    changes += [(Change.DELETED, Entity.CATEGORY, category_id) for category_id in categories]
