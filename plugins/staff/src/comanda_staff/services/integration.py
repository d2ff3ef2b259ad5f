"""Store status for other order channels: online, busy or paused, and what is temporarily sold out."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.intake_status import IntakeStatus
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.menu import services as menus
from comanda.menu.events import Change, Entity
from comanda.menu.models import Extra, ExtraGroup, Item
from comanda.stores import intake_status
from comanda.stores.intake_status import PaceBody
from comanda.stores.models import Store
from tortoise.queryset import QuerySet

from comanda_staff.schemas.integration import SnoozeBody
from comanda_staff.services.orders import get_store_id

DEFAULT_SOURCE: Final = "default"
SELECT_SOLD_OUT_ITEMS = """
    SELECT id, name, sold_out_until AS until FROM core_menu_item
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
SELECT_SOLD_OUT_EXTRAS = """
    SELECT id, name, sold_out_until AS until FROM core_extra
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
SELECT_STOREFRONT_USAGE = """
    SELECT count(*) AS tokens, max(last_used_at) AS last_used_at FROM core_access_token
    WHERE store_id = $1 AND owner_id = $2 AND kind = 'storefront' AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > $3)
"""


async def get_status(caller: Caller) -> dict[str, Any]:
    """Return whether the store is online, busy or paused, its order channels, and what is sold out."""
    return await _to_status(caller, await intake_status.get_intake_status(caller, get_store_id(caller)))


async def update_status(caller: Caller, body: PaceBody) -> dict[str, Any]:
    """Set the store to online, busy or paused, and return its status. Raises ``ValidationFailed``."""
    return await _to_status(caller, await intake_status.update_intake_status(caller, get_store_id(caller), body))


async def update_snoozed(caller: Caller, body: SnoozeBody) -> dict[str, Any]:
    """Mark items and extras as sold out or available, all or none; return what is sold out afterwards.

    Emits ``MenuUpdated`` once for each item that changed, itself or in its extras. Raises ``ValidationFailed``.
    """
    until = _get_end(body)
    async with sql.transaction():
        store = await menus.get_owned_store(caller, get_store_id(caller))
        item_ids = sorted({*body.item_ids, *await _list_item_ids_of_extras(store, body)})
        # Items are locked by ascending id, before their extras and the store's row, like in every menu change.
        items = [await _lock_item(store, body, item_id) for item_id in item_ids]
        for item in items:
            if item.id in body.item_ids:
                item.is_sold_out, item.sold_out_until = body.snoozed, until if body.snoozed else None
                await item.save(update_fields=["is_sold_out", "sold_out_until"])
        await _filter_extras(store, body).update(
            is_sold_out=body.snoozed, sold_out_until=until if body.snoozed else None
        )
        for item in items:
            await menus.record_change(store, Change.UPDATED, Entity.ITEM, item.id)
    return await _list_sold_out(caller)


async def _lock_item(store: Store, body: SnoozeBody, item_id: int) -> Item:
    try:
        return await menus.lock_item(store, item_id)
    except NotFound as error:
        raise _create_unknown_ids_error("item_ids", body.item_ids, {item_id}) from error


async def _list_item_ids_of_extras(store: Store, body: SnoozeBody) -> list[int]:
    """Return the ids of the items that offer the extras. Raises ``ValidationFailed`` for an unknown extra."""
    found = await _filter_extras(store, body)
    if missing := set(body.extra_ids) - {extra.id for extra in found}:
        raise _create_unknown_ids_error("extra_ids", body.extra_ids, missing)
    groups = await ExtraGroup.filter(owner_id=store.owner_id, id__in={extra.group_id for extra in found})
    return [group.item_id for group in groups]


def _filter_extras(store: Store, body: SnoozeBody) -> QuerySet[Extra]:
    return Extra.filter(owner_id=store.owner_id, store_id=store.id, id__in=body.extra_ids)


def _get_end(body: SnoozeBody) -> datetime | None:
    moment = clock.now()
    if not body.item_ids and not body.extra_ids:
        raise ValidationFailed(item_ids=["Items or extras are required."])
    if body.until is not None and body.minutes is not None:
        raise ValidationFailed(minutes=["Set either until or minutes, not both."])
    if body.snoozed and body.until is not None and body.until <= moment:
        raise ValidationFailed(until=["Must be in the future."])
    return moment + timedelta(minutes=body.minutes) if body.minutes else body.until


def _create_unknown_ids_error(field: str, given: Sequence[int], missing: Collection[int]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"{field}.{position}": [f"No such id in this store: {id}."]
            for position, id in enumerate(given)
            if id in missing
        }
    )


async def _to_status(caller: Caller, current: IntakeStatus) -> dict[str, Any]:
    storefront = await sql.one(SELECT_STOREFRONT_USAGE, get_store_id(caller), caller.owner_id, clock.now())
    return {
        **{name: getattr(current, name) for name in ("status", "delay_minutes", "until", "reason")},
        "source": current.source or DEFAULT_SOURCE,
        "channels": [
            {
                "name": "storefront",
                "connected": storefront["tokens"] > 0,
                "last_sync_at": storefront["last_used_at"],
            }
        ],
        **await _list_sold_out(caller),
    }


async def _list_sold_out(caller: Caller) -> dict[str, Any]:
    scope = (get_store_id(caller), caller.owner_id)
    return {
        "snoozed_items": [dict(row) for row in await sql.fetch(SELECT_SOLD_OUT_ITEMS, *scope, clock.now())],
        "snoozed_extras": [dict(row) for row in await sql.fetch(SELECT_SOLD_OUT_EXTRAS, *scope, clock.now())],
    }
