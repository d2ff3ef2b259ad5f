"""Occasions: written down by owners or remembered from gifts, and told of before they come round."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.models import Store

from comanda_florist import settings, shops
from comanda_florist.calendar import comes_round, is_day_of_year, reminded_at
from comanda_florist.models import Occasion
from comanda_florist.schemas import OccasionBody, OccasionChange

SHOWN = (
    "id",
    "recipient_name",
    "what",
    "month",
    "day",
    "remind_days_before",
    "remind_at",
    "phone",
    "note",
    "order_id",
    "created_at",
)
DECIDING = ("month", "day", "remind_days_before")
CLEARED = ("phone", "note")


async def page_of_occasions(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a shop's occasions, those first whose owner is reminded next. Raises ``NotFound``, ``Conflict``."""
    await shops.must_be_florist(caller, store_id)
    mine = Occasion.filter(store_id=store_id, owner_id=caller.owner_id)
    rows = await mine.order_by("remind_at", "id").limit(page.size()).offset(page.offset())
    zone = await zone_of(caller.owner_id, store_id)
    return page.envelope([_record(row, zone) for row in rows], await mine.count())


async def occasion(caller: Caller, store_id: int, occasion_id: int) -> dict[str, Any]:
    """Describe one occasion. Raises ``NotFound``, ``Conflict``."""
    await shops.must_be_florist(caller, store_id)
    found = await _find(caller, store_id, occasion_id)
    return _record(found, await zone_of(caller.owner_id, store_id))


async def add_occasion(caller: Caller, store_id: int, body: OccasionBody) -> dict[str, Any]:
    """Write an occasion down.

    Raises ``NotFound``, ``Conflict``; ``ValidationFailed`` for a day that its month does not have.
    """
    await shops.must_be_florist(caller, store_id)
    _check_day(body.month, body.day)
    zone = await zone_of(caller.owner_id, store_id)
    rules = await shops.rules_of(caller.owner_id, store_id)
    before = rules.remind_days_before if body.remind_days_before is None else body.remind_days_before
    made = await Occasion.create(
        owner_id=caller.owner_id,
        store_id=store_id,
        recipient_name=body.recipient_name,
        what=body.what,
        month=body.month,
        day=body.day,
        remind_days_before=before,
        remind_at=next_reminder(body.month, body.day, before, zone, clock.now()),
        phone=body.phone or None,
        note=body.note or None,
        created_at=clock.now(),
    )
    return _record(made, zone)


async def change_occasion(caller: Caller, store_id: int, occasion_id: int, change: OccasionChange) -> dict[str, Any]:
    """Change an occasion; a day or a notice that changes sets its next reminder anew. Raises as ``add_occasion``."""
    await shops.must_be_florist(caller, store_id)
    zone = await zone_of(caller.owner_id, store_id)
    given = {name: value for name, value in change.model_dump(exclude_unset=True).items() if value is not None}
    async with sql.transaction():
        # A reminder may go out at this moment, and sets when the next one does.
        found = await _find(caller, store_id, occasion_id, is_locked=True)
        moves = any(given.get(name, getattr(found, name)) != getattr(found, name) for name in DECIDING)
        found.update_from_dict({name: value or None if name in CLEARED else value for name, value in given.items()})
        _check_day(found.month, found.day)
        if moves:
            found.remind_at = next_reminder(found.month, found.day, found.remind_days_before, zone, clock.now())
            given["remind_at"] = found.remind_at
        if given:
            await found.save(update_fields=list(given))
    return _record(found, zone)


async def delete_occasion(caller: Caller, store_id: int, occasion_id: int) -> None:
    """Forget an occasion. Raises ``NotFound``, ``Conflict``."""
    await shops.must_be_florist(caller, store_id)
    found = await _find(caller, store_id, occasion_id)
    await found.delete()


def next_reminder(month: int, day: int, days_before: int, zone: ZoneInfo, since: datetime) -> datetime:
    """Tell when to remind of an occasion that comes round on or after the day of ``since``; that may be past."""
    occasion_day = comes_round(month, day, since.astimezone(zone).date())
    return reminded_at(occasion_day, days_before, settings.current().remind_hour, zone)


async def zone_of(owner_id: int, store_id: int) -> ZoneInfo:
    """Return a shop's time zone."""
    return ZoneInfo((await Store.get(id=store_id, owner_id=owner_id).only("timezone")).timezone)


async def _find(caller: Caller, store_id: int, occasion_id: int, *, is_locked: bool = False) -> Occasion:
    rows = Occasion.select_for_update() if is_locked else Occasion.all()
    found = await rows.get_or_none(id=occasion_id, store_id=store_id, owner_id=caller.owner_id)
    if found is None:
        raise NotFound
    return found


def _check_day(month: int, day: int) -> None:
    if not is_day_of_year(month, day):
        raise ValidationFailed(day=[f"Month {month} has no day {day}."])


def _record(row: Occasion, zone: ZoneInfo) -> dict[str, Any]:
    today = clock.now().astimezone(zone).date()
    return {**{name: getattr(row, name) for name in SHOWN}, "next_on": comes_round(row.month, row.day, today)}
