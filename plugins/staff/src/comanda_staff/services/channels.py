"""What other order channels see and say: how the store keeps up, and what is sold out for a while."""

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
from comanda_staff.services.orders import store_of

NOBODY: Final = "default"
ITEMS = """
    SELECT id, name, sold_out_until AS until FROM core_menu_item
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
EXTRAS = """
    SELECT id, name, sold_out_until AS until FROM core_extra
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
STOREFRONT = """
    SELECT count(*) AS tokens, max(last_used_at) AS last_used_at FROM core_access_token
    WHERE store_id = $1 AND owner_id = $2 AND kind = 'storefront' AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > $3)
"""


async def status(caller: Caller) -> dict[str, Any]:
    """Tell how the store keeps up, what orders come through, and what is sold out."""
    return await _status(caller, await intake_status.get_intake_status(caller, store_of(caller)))


async def set_pace(caller: Caller, body: PaceBody) -> dict[str, Any]:
    """Say how the store keeps up, and tell everything. Raises ``ValidationFailed``."""
    return await _status(caller, await intake_status.update_intake_status(caller, store_of(caller), body))


async def snooze(caller: Caller, body: SnoozeBody) -> dict[str, Any]:
    """Mark items and extras as sold out, or as back, all or none; list what is sold out then.

    Emits ``MenuUpdated`` once for each item that changed, itself or in its extras. Raises ``ValidationFailed``.
    """
    until = _until(body)
    async with sql.transaction():
        store = await menus.get_owned_store(caller, store_of(caller))
        item_ids = sorted({*body.item_ids, *await _items_of_extras(store, body)})
        # Items are locked in one order, before their extras and before the store's row, as all do who change a menu.
        items = [await _locked(store, body, item_id) for item_id in item_ids]
        for item in items:
            if item.id in body.item_ids:
                item.is_sold_out, item.sold_out_until = body.snoozed, until if body.snoozed else None
                await item.save(update_fields=["is_sold_out", "sold_out_until"])
        await _extras(store, body).update(is_sold_out=body.snoozed, sold_out_until=until if body.snoozed else None)
        for item in items:
            await menus.record_change(store, Change.UPDATED, Entity.ITEM, item.id)
    return await _sold_out(caller)


async def _locked(store: Store, body: SnoozeBody, item_id: int) -> Item:
    try:
        return await menus.lock_item(store, item_id)
    except NotFound as error:
        raise _unknown("item_ids", body.item_ids, {item_id}) from error


async def _items_of_extras(store: Store, body: SnoozeBody) -> list[int]:
    """Return the items that offer the extras. Raises ``ValidationFailed`` for an extra that is not the store's."""
    found = await _extras(store, body)
    if missing := set(body.extra_ids) - {extra.id for extra in found}:
        raise _unknown("extra_ids", body.extra_ids, missing)
    groups = await ExtraGroup.filter(owner_id=store.owner_id, id__in={extra.group_id for extra in found})
    return [group.item_id for group in groups]


def _extras(store: Store, body: SnoozeBody) -> QuerySet[Extra]:
    return Extra.filter(owner_id=store.owner_id, store_id=store.id, id__in=body.extra_ids)


def _until(body: SnoozeBody) -> datetime | None:
    moment = clock.now()
    if not body.item_ids and not body.extra_ids:
        raise ValidationFailed(item_ids=["Name items, extras, or both."])
    if body.until is not None and body.minutes is not None:
        raise ValidationFailed(minutes=["Give a time or minutes, not both."])
    if body.snoozed and body.until is not None and body.until <= moment:
        raise ValidationFailed(until=["This time has passed."])
    return moment + timedelta(minutes=body.minutes) if body.minutes else body.until


def _unknown(field: str, given: Sequence[int], missing: Collection[int]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"{field}.{place}": [f"This store has none with the id {id}."]
            for place, id in enumerate(given)
            if id in missing
        }
    )


async def _status(caller: Caller, now: IntakeStatus) -> dict[str, Any]:
    storefront = await sql.fetch_one(STOREFRONT, store_of(caller), caller.owner_id, clock.now())
    assert storefront is not None  # noqa: S101 - it counts
    return {
        **{name: getattr(now, name) for name in ("status", "delay_minutes", "until", "reason")},
        "source": now.source or NOBODY,
        "channels": [
            {
                "name": "storefront",
                "connected": storefront["tokens"] > 0,
                "last_sync_at": storefront["last_used_at"],
            }
        ],
        **await _sold_out(caller),
    }


async def _sold_out(caller: Caller) -> dict[str, Any]:
    scope = (store_of(caller), caller.owner_id)
    return {
        "snoozed_items": [dict(row) for row in await sql.fetch(ITEMS, *scope, clock.now())],
        "snoozed_extras": [dict(row) for row in await sql.fetch(EXTRAS, *scope, clock.now())],
    }
