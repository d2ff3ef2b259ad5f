"""Table availability: whether a party can be seated at a time, and at which later times of that day."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice

from comanda.basics import clock
from comanda.contracts import Caller

from comanda_reservations.records import AvailableTable, TableAvailability
from comanda_reservations.schemas import AvailabilityQuery
from comanda_reservations.services import reservation_rules, table_assignments
from comanda_reservations.services.reservation_rules import ReservationRules
from comanda_reservations.services.table_plan import TablePlan, TimeSpan

MAX_TIMES = 8
DAY_MINUTES = 24 * 60


async def get_availability(caller: Caller, store_id: int, query: AvailabilityQuery) -> TableAvailability:
    """Return whether a party can be seated at a time, at which tables, and at which later times of that day.

    Raises ``NotFound``.
    """
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    rules, now = await reservation_rules.get_reservation_rules(caller.owner_id, store_id), clock.now()
    starts_at = query.starts_at or _find_next_slot(rules, now)
    if hard := rules.get_hard_refusal(starts_at, now):
        return TableAvailability(
            starts_at=starts_at,
            ends_at=starts_at,
            party_size=query.party_size,
            is_available=False,
            reason=hard.value,
            table_numbers=(),
            free_tables=(),
            next_times=(),
        )
    span, party_size = rules.get_time_span(starts_at), query.party_size
    # A reservation that starts later that day may end on the next.
    day = TimeSpan(starts_at, span.ends_at + timedelta(days=1))
    plan = await table_assignments.load_table_plan(caller.owner_id, store_id, rules, day)
    reason = rules.get_refusal(plan, span, party_size, now)
    would_get = plan.select_tables(span, party_size) if reason is None else None
    return TableAvailability(
        starts_at=starts_at,
        ends_at=span.ends_at,
        party_size=party_size,
        is_available=reason is None,
        reason=reason and reason.value,
        table_numbers=[table.number for table in would_get or []],
        free_tables=[AvailableTable(table.number, table.seats, table.area) for table in plan.get_free_tables(span)],
        next_times=list(islice(_list_later_times(rules, plan, starts_at, party_size, now), MAX_TIMES)),
    )


async def list_free_times(caller: Caller, store_id: int, day: date, party_size: int) -> list[datetime]:
    """Return the times of a day, in the store's time zone, at which a party can be seated. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    rules, now = await reservation_rules.get_reservation_rules(caller.owner_id, store_id), clock.now()
    midnight = datetime.combine(day, time.min, rules.zone).astimezone(UTC)
    # A reservation of the day may end on the next.
    span = TimeSpan(midnight, midnight + timedelta(days=2))
    plan = await table_assignments.load_table_plan(caller.owner_id, store_id, rules, span)
    moments = _list_later_times(rules, plan, midnight - timedelta(seconds=1), party_size, now, day)
    return [moment.astimezone(rules.zone) for moment in moments]


def _list_later_times(
    rules: ReservationRules, plan: TablePlan, after: datetime, party_size: int, now: datetime, day: date | None = None
) -> Iterator[datetime]:
    for moment in _list_slots(rules, day or after.astimezone(rules.zone).date()):
        if moment > after and rules.get_refusal(plan, rules.get_time_span(moment), party_size, now) is None:
            yield moment


def _find_next_slot(rules: ReservationRules, now: datetime) -> datetime:
    earliest = now + rules.notice
    today = earliest.astimezone(rules.zone).date()
    slots = (moment for day in (today, today + timedelta(days=1)) for moment in _list_slots(rules, day))
    return next(moment for moment in slots if moment >= earliest)


def _list_slots(rules: ReservationRules, day: date) -> Iterator[datetime]:
    """Yield the slots of a day, in UTC. Local times skipped by daylight saving have none."""
    for minutes in range(0, DAY_MINUTES, int(rules.slot.total_seconds()) // 60):
        wall = datetime.combine(day, time(minutes // 60, minutes % 60), rules.zone)
        moment = wall.astimezone(UTC)
        if moment.astimezone(rules.zone).time() == wall.time():
            yield moment
