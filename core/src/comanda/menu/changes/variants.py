"""Management of an item's variants."""

from typing import Final

import asyncpg
from tortoise.exceptions import IntegrityError

from comanda.basics.errors import NotFound, ValidationFailed, require_found
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.stores.menu_items import ItemVariant
from comanda.menu import models
from comanda.menu.columns import list_fields, to_columns
from comanda.menu.events import Change, Entity
from comanda.menu.models import Item
from comanda.menu.records import Variant
from comanda.menu.schemas import VariantBody, VariantChange
from comanda.menu.services import get_owned_store, lock_item, record_change
from comanda.platform.db import sql
from comanda.platform.db.errors import get_constraint_name
from comanda.platform.db.references import check_references
from comanda.stores.models import Store
from comanda.stores.services import require_store

VARIANT_FIELDS: Final = tuple(list_fields(ItemVariant).values())


async def list_variants(caller: Caller, store_id: int, item_id: int, page: PageRequest) -> RecordPage[Variant]:
    """List an item's variants by position."""
    store = await require_store(caller, store_id)
    if not await Item.exists(id=item_id, store_id=store_id, owner_id=caller.owner_id):
        raise NotFound
    query = models.Variant.filter(item_id=item_id, owner_id=caller.owner_id)
    rows = await query.order_by("position", "id").limit(page.size()).offset(page.offset())
    return page.of([_to_variant(row, store["currency"]) for row in rows], await page.get_total(rows, query.count))


async def get_variant(caller: Caller, store_id: int, item_id: int, variant_id: int) -> Variant:
    """Return a variant. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    variant = require_found(
        await models.Variant.get_or_none(id=variant_id, item_id=item_id, store_id=store_id, owner_id=caller.owner_id)
    )
    return _to_variant(variant, store["currency"])


async def create_variant(caller: Caller, store_id: int, item_id: int, body: VariantBody) -> Variant:
    """Create a variant. Emits ``MenuUpdated`` for its item; raises ``ValidationFailed`` for a SKU in use."""
    try:
        async with sql.transaction():
            store = await get_owned_store(caller, store_id)
            await lock_item(store, item_id)
            variant = await models.Variant.create(
                owner_id=store.owner_id,
                store_id=store.id,
                item_id=item_id,
                **to_columns(ItemVariant, body, store.currency),
            )
            await record_change(store, Change.UPDATED, Entity.ITEM, item_id)
    except IntegrityError as error:
        raise _to_sku_error(error, body.sku) from error
    return _to_variant(variant, store.currency)


async def update_variant(caller: Caller, store_id: int, item_id: int, variant_id: int, body: VariantChange) -> Variant:
    """Update a variant; fields left out stay as they are. Emits ``MenuUpdated`` for its item."""
    try:
        async with sql.transaction():
            store = await get_owned_store(caller, store_id)
            variant = await _lock_variant(store, item_id, variant_id)
            columns = to_columns(ItemVariant, body, store.currency)
            if columns:
                variant.update_from_dict(columns)
                await variant.save(update_fields=list(columns))
            await record_change(store, Change.UPDATED, Entity.ITEM, item_id)
    except IntegrityError as error:
        raise _to_sku_error(error, body.sku) from error
    return _to_variant(variant, store.currency)


async def delete_variant(caller: Caller, store_id: int, item_id: int, variant_id: int) -> None:
    """Delete a variant; existing orders keep its name and price. Emits ``MenuUpdated`` for its item."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        variant = await _lock_variant(store, item_id, variant_id)
        async with check_references(variant.name):
            await variant.delete()
        await record_change(store, Change.UPDATED, Entity.ITEM, item_id)


async def _lock_variant(store: Store, item_id: int, variant_id: int) -> models.Variant:
    variant = await models.Variant.select_for_update().get_or_none(
        id=variant_id, item_id=item_id, store_id=store.id, owner_id=store.owner_id
    )
    if variant is None:
        raise NotFound
    return variant


def _to_variant(variant: models.Variant, currency: str) -> Variant:
    values = {each.field: each.to_answer(getattr(variant, each.name), currency) for each in VARIANT_FIELDS}
    return Variant(item_id=variant.item_id, **values)


def _to_sku_error(error: IntegrityError, sku: str | None) -> Exception:
    cause = error.__cause__
    if isinstance(cause, asyncpg.UniqueViolationError) and get_constraint_name(cause) == "core_variant_sku":
        return ValidationFailed(sku=[Sentence("Another variant of this store has the SKU %(sku)s.", sku=sku)])
    return error
