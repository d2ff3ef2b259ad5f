"""Occasions, created by owners or from gifts."""

from datetime import datetime
from zoneinfo import ZoneInfo

from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_florist import models, settings
from comanda_florist.records import Occasion
from comanda_florist.schemas.occasions import OccasionBody, OccasionChange
from comanda_florist.services import shops
from comanda_florist.services.delivery_calendar import get_next_date, get_reminder_time, is_day_of_year

SELECT_TIMEZONE = "SELECT timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
REMINDER_FIELDS = ("month", "day", "remind_days_before")
CLEARABLE_FIELDS = ("phone", "note")


async def list_occasions(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Occasion]:
    """List a shop's occasions, next reminder first. Raises ``NotFound``, ``Conflict``."""
    await shops.get_shop(caller, store_id)
    mine = models.Occasion.filter(store_id=store_id, owner_id=caller.owner_id)
    rows = await mine.order_by("remind_at", "id").limit(page.size()).offset(page.offset())
    zone = await get_zone(caller.owner_id, store_id)
    return page.of([_to_occasion(row, zone) for row in rows], await mine.count())


async def get_occasion(caller: Caller, store_id: int, occasion_id: int) -> Occasion:
    """Return an occasion. Raises ``NotFound``, ``Conflict``."""
    await shops.get_shop(caller, store_id)
    found = await _find_occasion(caller, store_id, occasion_id)
    return _to_occasion(found, await get_zone(caller.owner_id, store_id))


async def create_occasion(caller: Caller, store_id: int, body: OccasionBody) -> Occasion:
    """Create an occasion.

    Raises ``NotFound``, ``Conflict``; ``ValidationFailed`` for a day that its month does not have.
    """
    await shops.get_shop(caller, store_id)
    _check_day(body.month, body.day)
    zone = await get_zone(caller.owner_id, store_id)
    rules = await shops.get_rules(caller.owner_id, store_id)
    before = rules.remind_days_before if body.remind_days_before is None else body.remind_days_before
    made = await models.Occasion.create(
        owner_id=caller.owner_id,
        store_id=store_id,
        recipient_name=body.recipient_name,
        what=body.what,
        month=body.month,
        day=body.day,
        remind_days_before=before,
        remind_at=get_next_reminder(body.month, body.day, before, zone, clock.now()),
        phone=body.phone or None,
        note=body.note or None,
        created_at=clock.now(),
    )
    return _to_occasion(made, zone)


async def update_occasion(caller: Caller, store_id: int, occasion_id: int, change: OccasionChange) -> Occasion:
    """Update an occasion; a new day or notice resets its next reminder. Raises as ``create_occasion``."""
    await shops.get_shop(caller, store_id)
    zone = await get_zone(caller.owner_id, store_id)
    given = {name: value for name, value in change.model_dump(exclude_unset=True).items() if value is not None}
    async with sql.transaction():
        # A reminder that is sent right now also sets the next one.
        found = await _find_occasion(caller, store_id, occasion_id, is_locked=True)
        is_rescheduled = any(given.get(name, getattr(found, name)) != getattr(found, name) for name in REMINDER_FIELDS)
        found.update_from_dict(
            {name: value or None if name in CLEARABLE_FIELDS else value for name, value in given.items()}
        )
        _check_day(found.month, found.day)
        if is_rescheduled:
            found.remind_at = get_next_reminder(found.month, found.day, found.remind_days_before, zone, clock.now())
            given["remind_at"] = found.remind_at
        if given:
            await found.save(update_fields=list(given))
    return _to_occasion(found, zone)


async def delete_occasion(caller: Caller, store_id: int, occasion_id: int) -> None:
    """Delete an occasion. Raises ``NotFound``, ``Conflict``."""
    await shops.get_shop(caller, store_id)
    found = await _find_occasion(caller, store_id, occasion_id)
    await found.delete()


def get_next_reminder(month: int, day: int, days_before: int, zone: ZoneInfo, since: datetime) -> datetime:
    """Return the reminder of an occasion's next date on or after the day of ``since``; it may be in the past."""
    occasion_day = get_next_date(month, day, since.astimezone(zone).date())
    return get_reminder_time(occasion_day, days_before, settings.get_settings().remind_hour, zone)


async def get_zone(owner_id: int, store_id: int) -> ZoneInfo:
    """Return a shop's time zone."""
    return ZoneInfo(await sql.fetch_value(SELECT_TIMEZONE, store_id, owner_id))


async def _find_occasion(
    caller: Caller, store_id: int, occasion_id: int, *, is_locked: bool = False
) -> models.Occasion:
    rows = models.Occasion.select_for_update() if is_locked else models.Occasion.all()
    found = await rows.get_or_none(id=occasion_id, store_id=store_id, owner_id=caller.owner_id)
    if found is None:
        raise NotFound
    return found


def _check_day(month: int, day: int) -> None:
    if not is_day_of_year(month, day):
        raise ValidationFailed(day=[f"Month {month} has no day {day}."])


def _to_occasion(row: models.Occasion, zone: ZoneInfo) -> Occasion:
    today = clock.now().astimezone(zone).date()
    return Occasion(
        id=row.id,
        recipient_name=row.recipient_name,
        what=row.what,
        month=row.month,
        day=row.day,
        next_on=get_next_date(row.month, row.day, today),
        remind_days_before=row.remind_days_before,
        remind_at=row.remind_at,
        phone=row.phone,
        note=row.note,
        order_id=row.order_id,
        created_at=row.created_at,
    )
