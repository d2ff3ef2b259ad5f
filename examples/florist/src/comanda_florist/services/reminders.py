"""Reminders of occasions, and occasions that are created from gifts."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.contracts import StoredEvent
from comanda.orders import erasure
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_florist import settings
from comanda_florist.events import OccasionNear
from comanda_florist.models import Occasion, Shop
from comanda_florist.services.delivery_calendar import DAY, get_next_date, get_reminder_time

GIFT_OCCASION = "Gift last year"
BATCH_SIZE = 100

SELECT_TIMEZONES = """
    SELECT id, timezone FROM core_store_v1 WHERE owner_id = ANY($1::bigint[]) AND id = ANY($2::bigint[])
"""

# An event may be delivered twice; its gift is saved once.
INSERT_GIFT_OCCASIONS = f"""
    INSERT INTO florist_occasion (owner_id, store_id, order_id, recipient_name, month, day, remind_days_before,
        remind_at, what, created_at)
    SELECT g.*, '{GIFT_OCCASION}', $9
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::smallint[], $7::smallint[],
        $8::timestamptz[]) AS g
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""


async def create_gift_occasions(events: Sequence[StoredEvent]) -> None:
    """Create next year's occasions from gifts, in shops with that setting. Handles ``BouquetPromised``."""
    store_ids = {event.store_id for event in events if event.store_id is not None}
    owner_ids = {event.owner_id for event in events}
    remembering = Shop.filter(owner_id__in=owner_ids, store_id__in=store_ids, remembers_gifts=True)
    shops = {shop.store_id: shop for shop in await remembering}
    zones = await _load_zones(owner_ids, shops)
    async with sql.transaction():
        # The customer may have been erased since; then the recipient is not saved either.
        await erasure.lock_for_copying()
        received = [event for event in await erasure.reload_events(events) if event.data["recipient_name"] is not None]
        rows = [_to_row(event, shops[event.store_id], zones) for event in received if event.store_id in shops]
        if rows:
            await sql.execute(INSERT_GIFT_OCCASIONS, *(list(column) for column in zip(*rows, strict=True)), clock.now())


def _to_row(event: StoredEvent, shop: Shop, zones: Mapping[int, ZoneInfo]) -> tuple[Any, ...]:
    day = date.fromisoformat(str(event.data["delivery_day"]))
    next_year = get_next_date(day.month, day.day, since=day + DAY)
    remind_at = get_reminder_time(
        next_year, shop.remind_days_before, settings.get_settings().remind_hour, zones[shop.store_id]
    )
    name = event.data["recipient_name"]
    order_id = event.data["order_id"]
    return (
        event.owner_id, shop.store_id, order_id, name, day.month, day.day, shop.remind_days_before, remind_at,
    )  # fmt: skip


async def send_reminders() -> None:
    """Send the reminders that are due. Emits ``OccasionNear``."""
    while await _send_batch() == BATCH_SIZE:
        pass


async def _send_batch() -> int:
    # Event and next reminder are one transaction, so none is sent twice; rows of another process are skipped.
    async with sql.transaction():
        due = Occasion.filter(remind_at__lte=clock.now()).order_by("remind_at").limit(BATCH_SIZE)
        rows = await due.select_for_update(skip_locked=True)
        zones = await _load_zones({row.owner_id for row in rows}, {row.store_id for row in rows})
        for row in rows:
            await _send_reminder(row, zones[row.store_id])
    return len(rows)


async def _send_reminder(row: Occasion, zone: ZoneInfo) -> None:
    today = clock.now().astimezone(zone).date()
    # A day less, because the shop may have moved to another time zone since.
    occasion_day = get_next_date(row.month, row.day, since=row.remind_at.astimezone(zone).date() - DAY)
    if occasion_day >= today:
        event = OccasionNear(
            occasion_id=row.id,
            restaurant_id=row.store_id,
            recipient_name=row.recipient_name,
            what=row.what,
            on=occasion_day,
        )
        await publish(event, owner_id=row.owner_id, store_id=row.store_id)
    following = get_next_date(row.month, row.day, since=max(occasion_day + DAY, today))
    row.remind_at = get_reminder_time(following, row.remind_days_before, settings.get_settings().remind_hour, zone)
    await row.save(update_fields=["remind_at"])


async def _load_zones(owner_ids: Collection[int], store_ids: Collection[int]) -> dict[int, ZoneInfo]:
    rows = await sql.fetch(SELECT_TIMEZONES, list(owner_ids), list(store_ids))
    return {row["id"]: ZoneInfo(row["timezone"]) for row in rows}
