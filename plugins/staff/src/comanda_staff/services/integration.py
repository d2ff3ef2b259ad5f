"""Store status for other order channels: online, busy or paused, and what is temporarily sold out."""

from datetime import datetime, timedelta
from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Caller, IntakeStatus
from comanda.menu import availability
from comanda.platform.db import sql
from comanda.stores import PaceBody, intake_status

from comanda_staff.records import Channel, SoldOut, SoldOutEntry, StoreIntake
from comanda_staff.schemas.integration import SnoozeBody

DEFAULT_SOURCE: Final = "default"
SELECT_SOLD_OUT_ITEMS = """
    SELECT id, name, sold_out_until AS until FROM core_menu_item_v1
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
SELECT_SOLD_OUT_EXTRAS = """
    SELECT id, name, sold_out_until AS until FROM core_extra_v1
    WHERE store_id = $1 AND owner_id = $2 AND is_sold_out AND (sold_out_until IS NULL OR sold_out_until > $3)
    ORDER BY name, id
"""
SELECT_STOREFRONT_USAGE = """
    SELECT count(*) AS tokens, max(last_used_at) AS last_used_at FROM core_access_token_v1
    WHERE store_id = $1 AND owner_id = $2 AND kind = 'storefront' AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > $3)
"""


async def get_status(caller: Caller) -> StoreIntake:
    """Return whether the store is online, busy or paused, its order channels, and what is sold out."""
    return await _to_status(caller, await intake_status.get_intake_status(caller, caller.known_store_id))


async def update_status(caller: Caller, body: PaceBody) -> StoreIntake:
    """Set the store to online, busy or paused, and return its status. Raises ``ValidationFailed``."""
    return await _to_status(caller, await intake_status.update_intake_status(caller, caller.known_store_id, body))


async def update_snoozed(caller: Caller, body: SnoozeBody) -> SoldOut:
    """Mark items and extras as sold out or available, all or none; return what is sold out afterwards.

    Emits ``MenuUpdated`` once for each item that changed, itself or in its extras. Raises ``ValidationFailed``.
    """
    until = _get_end(body)
    await availability.update_availability(
        caller, caller.known_store_id, body.item_ids, body.extra_ids, is_sold_out=body.snoozed, until=until
    )
    return await _list_sold_out(caller)


def _get_end(body: SnoozeBody) -> datetime | None:
    moment = clock.now()
    if not body.item_ids and not body.extra_ids:
        raise ValidationFailed(item_ids=[Sentence("Items or extras are required.")])
    if body.until is not None and body.minutes is not None:
        raise ValidationFailed(minutes=[Sentence("Set either until or minutes, not both.")])
    if body.snoozed and body.until is not None and body.until <= moment:
        raise ValidationFailed(until=[Sentence("Must be in the future.")])
    return moment + timedelta(minutes=body.minutes) if body.minutes else body.until


async def _to_status(caller: Caller, current: IntakeStatus) -> StoreIntake:
    storefront = await sql.one(SELECT_STOREFRONT_USAGE, caller.known_store_id, caller.owner_id, clock.now())
    sold_out = await _list_sold_out(caller)
    return StoreIntake(
        items=sold_out.items,
        extras=sold_out.extras,
        status=current.status,
        delay_minutes=current.delay_minutes,
        until=current.until,
        reason=current.reason,
        source=current.source or DEFAULT_SOURCE,
        channels=[Channel("storefront", storefront["tokens"] > 0, storefront["last_used_at"])],
    )


async def _list_sold_out(caller: Caller) -> SoldOut:
    scope = (caller.known_store_id, caller.owner_id)
    items = await sql.fetch(SELECT_SOLD_OUT_ITEMS, *scope, clock.now())
    extras = await sql.fetch(SELECT_SOLD_OUT_EXTRAS, *scope, clock.now())
    return SoldOut(
        [sql.to_record(SoldOutEntry, row) for row in items], [sql.to_record(SoldOutEntry, row) for row in extras]
    )
