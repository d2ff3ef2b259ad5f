"""What happens after the fact: gifts become occasions, and occasions are told of before they come round."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.events.outbox import publish
from comanda.orders import erasure
from comanda.stores.models import Store

from comanda_florist import settings
from comanda_florist.calendar import DAY, comes_round, reminded_at
from comanda_florist.events import OccasionNear
from comanda_florist.models import Occasion, Shop

LAST_YEAR = "Gift last year"
CHUNK = 100

# An event may come twice, and the gift that it tells of is remembered once.
REMEMBER = f"""
    INSERT INTO florist_occasion (owner_id, store_id, order_id, recipient_name, month, day, remind_days_before,
        remind_at, what, created_at)
    SELECT g.*, '{LAST_YEAR}', $9
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::smallint[], $7::smallint[],
        $8::timestamptz[]) AS g
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""


async def remember_gifts(events: Sequence[StoredEvent]) -> None:
    """Keep gifts as occasions of the year to come, in shops that want it. Hears ``BouquetPromised``."""
    store_ids = {event.store_id for event in events if event.store_id is not None}
    shops = {shop.store_id: shop for shop in await Shop.filter(store_id__in=store_ids, remembers_gifts=True)}
    zones = await _zones(shops)
    async with sql.transaction():
        # Who ordered a gift may have been erased since; then nobody remembers whom it was for.
        await erasure.lock_for_copying()
        told = [event for event in await erasure.reload_events(events) if event.data["recipient_name"] is not None]
        rows = [_remembered(event, shops[event.store_id], zones) for event in told if event.store_id in shops]
        if rows:
            await sql.execute(REMEMBER, *(list(column) for column in zip(*rows, strict=True)), clock.now())


def _remembered(event: StoredEvent, shop: Shop, zones: Mapping[int, ZoneInfo]) -> tuple[Any, ...]:
    day = date.fromisoformat(str(event.data["delivery_day"]))
    next_year = comes_round(day.month, day.day, since=day + DAY)
    remind_at = reminded_at(next_year, shop.remind_days_before, settings.current().remind_hour, zones[shop.store_id])
    name = event.data["recipient_name"]
    order_id = event.data["order_id"]
    return (
        event.owner_id, shop.store_id, order_id, name, day.month, day.day, shop.remind_days_before, remind_at,
    )  # fmt: skip


async def remind() -> None:
    """Tell owners of the occasions whose time to be reminded has come. Emits ``OccasionNear``."""
    while await _remind_some() == CHUNK:
        pass


async def _remind_some() -> int:
    # Event and next reminder are one transaction, so nobody is told twice; what another process is at is left to it.
    async with sql.transaction():
        due = Occasion.filter(remind_at__lte=clock.now()).order_by("remind_at").limit(CHUNK)
        rows = await due.select_for_update(skip_locked=True)
        zones = await _zones({row.store_id for row in rows})
        for row in rows:
            await _remind_of(row, zones[row.store_id])
    return len(rows)


async def _remind_of(row: Occasion, zone: ZoneInfo) -> None:
    today = clock.now().astimezone(zone).date()
    # A day less, as the shop may have moved to another time zone since.
    occasion_day = comes_round(row.month, row.day, since=row.remind_at.astimezone(zone).date() - DAY)
    if occasion_day >= today:
        event = OccasionNear(
            occasion_id=row.id,
            restaurant_id=row.store_id,
            recipient_name=row.recipient_name,
            what=row.what,
            on=occasion_day,
        )
        await publish(event, owner_id=row.owner_id, store_id=row.store_id)
    following = comes_round(row.month, row.day, since=max(occasion_day + DAY, today))
    row.remind_at = reminded_at(following, row.remind_days_before, settings.current().remind_hour, zone)
    await row.save(update_fields=["remind_at"])


async def _zones(store_ids: Collection[int]) -> dict[int, ZoneInfo]:
    stores = await Store.filter(id__in=store_ids).only("id", "timezone") if store_ids else []
    return {store.id: ZoneInfo(store.timezone) for store in stores}
