"""What owners do with the brands of a store: list, write down, change, delete."""

from typing import Any

import asyncpg
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.menu.services import get_owned_store
from comanda.stores.models import Store
from comanda.stores.records import find_vertical
from comanda.stores.services import require_store
from tortoise.exceptions import IntegrityError

from comanda_goods import renaming
from comanda_goods.models import Brand, ItemBrand
from comanda_goods.naming import name_key, slugs
from comanda_goods.schemas import BrandBody, BrandChange

# A brand that nobody wrote down is there for as long as an item names it.
SHOWN = """
    SELECT b.id, b.name, b.slug, b.logo_url, count(l.item_id) AS items_count
    FROM goods_brand b LEFT JOIN goods_item_brand l ON l.brand_id = b.id AND l.owner_id = b.owner_id
    WHERE b.owner_id = $1 AND b.store_id = $2 AND ($3::bigint IS NULL OR b.id = $3)
    GROUP BY b.id, b.owner_id
    HAVING b.is_kept OR count(l.item_id) > 0
"""
LIST = f"{SHOWN} ORDER BY b.name_key, b.id LIMIT $4 OFFSET $5"
COUNT = f"SELECT count(*) FROM ({SHOWN}) shown"
NAMESAKES = """
    SELECT id, name_key, slug, is_kept FROM goods_brand
    WHERE owner_id = $1 AND store_id = $2 AND id <> $3 AND (name_key = $4 OR slug = $5) ORDER BY id FOR UPDATE
"""
TAKEN = {
    "goods_brand_name": ("name", "This store has a brand of that name."),
    "goods_brand_slug": ("slug", "Another brand of this store has that slug."),
}


async def page_of_brands(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List the store's brands by name."""
    await require_store(caller, store_id)
    mine = (caller.owner_id, store_id, None)
    rows = await sql.fetch(LIST, *mine, page.size(), page.offset())
    return page.envelope([dict(row) for row in rows], await sql.fetch_value(COUNT, *mine))


async def brand(caller: Caller, store_id: int, brand_id: int) -> dict[str, Any]:
    """Describe one brand. Raises ``NotFound`` for another store's, and for one that no item names any more."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(SHOWN, caller.owner_id, store_id, brand_id)
    if row is None:
        raise NotFound
    return dict(row)


async def add_brand(caller: Caller, store_id: int, body: BrandBody) -> dict[str, Any]:
    """Write a brand down. Raises ``ValidationFailed`` for a name or slug in use, ``Conflict`` where none are shown."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        vertical = find_vertical(store.store_type)
        if vertical is None or "brand" not in vertical.capabilities:
            raise Conflict("Items of this store have no brands.")
        made = Brand(owner_id=store.owner_id, store_id=store.id, name=body.name, name_key=name_key(body.name))
        made.update_from_dict({"logo_url": body.logo_url, "slug": body.slug or await _free_slug(store, body.name)})
        await _keep(made)
    return await brand(caller, store_id, made.id)


async def change_brand(caller: Caller, store_id: int, brand_id: int, body: BrandChange) -> dict[str, Any]:
    """Change a brand. Emits ``MenuUpdated`` for each item whose brand is spelled anew, and for none otherwise.

    Raises ``NotFound``, and ``ValidationFailed`` for a name or slug that another brand of the store has.
    """
    columns = body.model_dump(exclude_unset=True)
    columns = {name: value for name, value in columns.items() if value is not None or name == "logo_url"}
    await brand(caller, store_id, brand_id)
    if columns:
        await renaming.with_items(caller, store_id, brand_id, lambda found: _change(found, columns))
    return await brand(caller, store_id, brand_id)


async def delete_brand(caller: Caller, store_id: int, brand_id: int) -> None:
    """Delete a brand that no item names; raises ``Conflict`` while one does."""
    await brand(caller, store_id, brand_id)
    async with sql.transaction():
        found = await Brand.select_for_update().get_or_none(id=brand_id, store_id=store_id, owner_id=caller.owner_id)
        if found is None:
            raise NotFound
        count = await ItemBrand.filter(brand_id=brand_id, owner_id=caller.owner_id).count()
        if count:
            still = "1 item is" if count == 1 else f"{count} items are"
            raise Conflict(f"{still} of the brand {found.name}.", extras={"items_count": count})
        await found.delete()


async def _change(found: Brand, columns: dict[str, Any]) -> None:
    if "name" in columns:
        columns = {**columns, "name_key": name_key(columns["name"])}
    found.update_from_dict(columns)
    await _keep(found)


async def _keep(brand: Brand) -> None:
    """Write a brand that its owner wants. Raises ``ValidationFailed`` for a name or slug that another one has."""
    brand.is_kept = True
    await _make_room(brand)
    try:
        await brand.save()
    except IntegrityError as error:
        # An item or another request took the name or the slug after we looked.
        cause = error.__cause__
        if not isinstance(cause, asyncpg.UniqueViolationError) or cause.constraint_name not in TAKEN:
            raise
        field, sentence = TAKEN[cause.constraint_name]
        raise ValidationFailed({field: [sentence]}) from error


async def _make_room(brand: Brand) -> None:
    """Remove brands that nobody sees any more and that have the name or slug; refuse for those that are seen."""
    mine = (brand.owner_id, brand.store_id, brand.id or 0, brand.name_key, brand.slug)
    errors: dict[str, list[str]] = {}
    for row in await sql.fetch(NAMESAKES, *mine):
        if not row["is_kept"] and not await ItemBrand.exists(brand_id=row["id"], owner_id=brand.owner_id):
            await Brand.filter(id=row["id"], owner_id=brand.owner_id).delete()
            continue
        for constraint, column in (("goods_brand_name", "name_key"), ("goods_brand_slug", "slug")):
            if row[column] == getattr(brand, column):
                field, sentence = TAKEN[constraint]
                errors[field] = [sentence]
    if errors:
        raise ValidationFailed(errors)


async def _free_slug(store: Store, name: str) -> str:
    suggested = ""
    for suggested in slugs(name):
        if not await Brand.exists(store_id=store.id, owner_id=store.owner_id, slug=suggested):
            break
    return suggested
