"""Whether a party can come, and when else that day."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller

from comanda_reservations import book, rules
from comanda_reservations.planning import Plan, Span
from comanda_reservations.rules import Rules
from comanda_reservations.schemas import AvailabilityQuery

MAX_TIMES = 8
DAY_MINUTES = 24 * 60


async def availability(caller: Caller, store_id: int, query: AvailabilityQuery) -> dict[str, Any]:
    """Tell whether a party fits at a time, on which tables, and at which later times of that day it does.

    Raises ``NotFound``.
    """
    await rules.must_serve_tables(caller, store_id, "reservations")
    allowed, now = await rules.read(caller.owner_id, store_id), clock.now()
    starts_at = query.starts_at or _next_slot(allowed, now)
    if hard := allowed.hard_obstacle(starts_at, now):
        return _answer(starts_at, starts_at, query.party_size, reason=hard.value)
    span, party_size = allowed.span(starts_at), query.party_size
    # What begins later on that day may end on the next.
    day = Span(starts_at, span.ends_at + timedelta(days=1))
    plan = await book.plan(caller.owner_id, store_id, allowed, day)
    obstacle = allowed.obstacle(plan, span, party_size, now)
    would_get = plan.choose(span, party_size) if obstacle is None else None
    return _answer(
        starts_at,
        span.ends_at,
        party_size,
        reason=obstacle and obstacle.value,
        table_numbers=[table.number for table in would_get or []],
        free_tables=[{"number": t.number, "seats": t.seats, "area": t.area} for t in plan.free_tables(span)],
        next_times=list(islice(_later(allowed, plan, starts_at, party_size, now), MAX_TIMES)),
    )


def _answer(
    starts_at: datetime, ends_at: datetime, party_size: int, *, reason: str | None, **lists: list[Any]
) -> dict[str, Any]:
    return {
        "starts_at": starts_at,
        "ends_at": ends_at,
        "party_size": party_size,
        "is_available": reason is None,
        "reason": reason,
        "table_numbers": [],
        "free_tables": [],
        "next_times": [],
        **lists,
    }


def _later(allowed: Rules, plan: Plan, after: datetime, party_size: int, now: datetime) -> Iterator[datetime]:
    for moment in _slots(allowed, after.astimezone(allowed.zone).date()):
        if moment > after and allowed.obstacle(plan, allowed.span(moment), party_size, now) is None:
            yield moment


def _next_slot(allowed: Rules, now: datetime) -> datetime:
    wanted = now + allowed.notice
    today = wanted.astimezone(allowed.zone).date()
    slots = (moment for day in (today, today + timedelta(days=1)) for moment in _slots(allowed, day))
    return next(moment for moment in slots if moment >= wanted)


def _slots(allowed: Rules, day: date) -> Iterator[datetime]:
    """List the moments of a day, in UTC, at which the store seats parties; an hour that clocks skip has none."""
    for minutes in range(0, DAY_MINUTES, int(allowed.slot.total_seconds()) // 60):
        wall = datetime.combine(day, time(minutes // 60, minutes % 60), allowed.zone)
        moment = wall.astimezone(UTC)
        if moment.astimezone(allowed.zone).time() == wall.time():
            yield moment
