"""The brands of a store: list, create, update, delete."""

import asyncpg
from comanda.basics import Conflict, Sentence, ValidationFailed, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.menu import get_owned_store
from comanda.platform.db import get_constraint_name, sql
from comanda.stores import Store, find_vertical, require_store
from tortoise.exceptions import IntegrityError

from comanda_goods import models
from comanda_goods.models import ItemBrand
from comanda_goods.records import Brand
from comanda_goods.schemas import BrandBody, BrandChange
from comanda_goods.services import brand_renames
from comanda_goods.services.brand_names import suggest_slugs, to_name_key

# A brand that no owner created is shown only while an item names it.
SELECT_BRANDS = """
    SELECT b.id, b.name, b.slug, b.logo_url, count(l.item_id) AS items_count
    FROM goods_brand b LEFT JOIN goods_item_brand l ON l.brand_id = b.id AND l.owner_id = b.owner_id
    WHERE b.owner_id = $1 AND b.store_id = $2 AND ($3::bigint IS NULL OR b.id = $3)
    GROUP BY b.id, b.owner_id
    HAVING b.is_kept OR count(l.item_id) > 0
"""
SELECT_BRAND_PAGE = f"{SELECT_BRANDS} ORDER BY b.name_key, b.id LIMIT $4 OFFSET $5"
COUNT_BRANDS = f"SELECT count(*) FROM ({SELECT_BRANDS}) shown"
LOCK_NAMESAKES = """
    SELECT id, name_key, slug, is_kept FROM goods_brand
    WHERE owner_id = $1 AND store_id = $2 AND id <> $3 AND (name_key = $4 OR slug = $5) ORDER BY id FOR UPDATE
"""
UNIQUE_FIELD_ERRORS = {
    "goods_brand_name": ("name", "This store already has a brand with this name."),
    "goods_brand_slug": ("slug", "Another brand of this store already has this slug."),
}


async def list_brands(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Brand]:
    """Return a page of the store's brands by name."""
    await require_store(caller, store_id)
    scope = (caller.owner_id, store_id, None)
    rows = await sql.fetch(SELECT_BRAND_PAGE, *scope, page.size(), page.offset())
    return page.of([sql.to_record(Brand, row) for row in rows], await sql.fetch_value(COUNT_BRANDS, *scope))


async def get_brand(caller: Caller, store_id: int, brand_id: int) -> Brand:
    """Return one brand. Raises ``NotFound``, also for a brand that no item names any more."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_BRANDS, caller.owner_id, store_id, brand_id)
    return sql.to_record(Brand, row)


async def create_brand(caller: Caller, store_id: int, body: BrandBody) -> Brand:
    """Create a brand.

    Raises ``ValidationFailed`` for a name or slug in use, ``Conflict`` if the store's items have no brands.
    """
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        vertical = find_vertical(store.store_type)
        if vertical is None or "brand" not in vertical.capabilities:
            raise Conflict(Sentence("Items of this store have no brands."))
        created = models.Brand(
            owner_id=store.owner_id, store_id=store.id, name=body.name, name_key=to_name_key(body.name)
        )
        created.update_from_dict(
            {"logo_url": body.logo_url, "slug": body.slug or await _find_free_slug(store, body.name)}
        )
        await _save_as_kept(created)
    return await get_brand(caller, store_id, created.id)


async def update_brand(caller: Caller, store_id: int, brand_id: int, body: BrandChange) -> Brand:
    """Update a brand. Emits ``MenuUpdated`` for each item whose spelling of the brand changes.

    Raises ``NotFound``, and ``ValidationFailed`` for a name or slug of another brand of the store.
    """
    found = await get_brand(caller, store_id, brand_id)
    if not _changes_nothing(body):
        await brand_renames.update_brand_with_items(caller, store_id, brand_id, lambda row: _apply_change(row, body))
        found = await get_brand(caller, store_id, brand_id)
    return found


async def delete_brand(caller: Caller, store_id: int, brand_id: int) -> None:
    """Delete a brand. Raises ``NotFound``, ``Conflict`` while items name it."""
    await get_brand(caller, store_id, brand_id)
    async with sql.transaction():
        found = require_found(
            await models.Brand.select_for_update().get_or_none(id=brand_id, store_id=store_id, owner_id=caller.owner_id)
        )
        count = await ItemBrand.filter(brand_id=brand_id, owner_id=caller.owner_id).count()
        if count:
            users = "1 item uses" if count == 1 else f"{count} items use"
            raise Conflict(f"{users} the brand {found.name}.", extras={"items_count": count})
        await found.delete()


def _changes_nothing(body: BrandChange) -> bool:
    return body.name is None and body.slug is None and "logo_url" not in body.model_fields_set


async def _apply_change(row: models.Brand, body: BrandChange) -> None:
    if body.name is not None:
        row.name, row.name_key = body.name, to_name_key(body.name)
    if body.slug is not None:
        row.slug = body.slug
    if "logo_url" in body.model_fields_set:
        row.logo_url = body.logo_url
    await _save_as_kept(row)


async def _save_as_kept(brand: models.Brand) -> None:
    """Save a brand and mark it as kept. Raises ``ValidationFailed`` for a name or slug of another brand."""
    brand.is_kept = True
    await _delete_unused_namesakes(brand)
    try:
        await brand.save()
    except IntegrityError as error:
        # An item or another request took the name or the slug after the check.
        cause = error.__cause__
        if not isinstance(cause, asyncpg.UniqueViolationError) or get_constraint_name(cause) not in UNIQUE_FIELD_ERRORS:
            raise
        field, sentence = UNIQUE_FIELD_ERRORS[get_constraint_name(cause)]
        raise ValidationFailed({field: [sentence]}) from error


async def _delete_unused_namesakes(brand: models.Brand) -> None:
    """Delete hidden brands with the same name or slug. Raises ``ValidationFailed`` for visible ones."""
    scope = (brand.owner_id, brand.store_id, brand.id or 0, brand.name_key, brand.slug)
    errors: dict[str, list[str]] = {}
    for row in await sql.fetch(LOCK_NAMESAKES, *scope):
        if not row["is_kept"] and not await ItemBrand.exists(brand_id=row["id"], owner_id=brand.owner_id):
            await models.Brand.filter(id=row["id"], owner_id=brand.owner_id).delete()
            continue
        for constraint, column in (("goods_brand_name", "name_key"), ("goods_brand_slug", "slug")):
            if row[column] == getattr(brand, column):
                field, sentence = UNIQUE_FIELD_ERRORS[constraint]
                errors[field] = [sentence]
    if errors:
        raise ValidationFailed(errors)


async def _find_free_slug(store: Store, name: str) -> str:
    suggested = ""
    for suggested in suggest_slugs(name):
        if not await models.Brand.exists(store_id=store.id, owner_id=store.owner_id, slug=suggested):
            break
    return suggested
