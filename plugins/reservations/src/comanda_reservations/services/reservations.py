"""The reservations of a store: list, get, and update the status."""

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, escape_like
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_reservations.events import ReservationCancelled, publish_reservation_event
from comanda_reservations.models import ReservationKind, ReservationStatus
from comanda_reservations.records import Reservation
from comanda_reservations.schemas import ReservationQuery, ReservationStatusBody
from comanda_reservations.services import deposits, table_assignments
from comanda_reservations.services.reservation_rows import RESERVATION_COLUMNS, load_reservation, load_reservations
from comanda_reservations.services.reservation_rules import get_store_timezone

OPEN_STATUSES: Final = frozenset({ReservationStatus.PENDING, ReservationStatus.CONFIRMED, ReservationStatus.SEATED})
NEXT_STATUSES: Final = {
    ReservationStatus.PENDING: {ReservationStatus.CONFIRMED, ReservationStatus.SEATED, ReservationStatus.CANCELLED},
    ReservationStatus.CONFIRMED: {ReservationStatus.SEATED, ReservationStatus.CANCELLED, ReservationStatus.NO_SHOW},
    ReservationStatus.SEATED: {ReservationStatus.COMPLETED},
}

RESERVATION_FILTER = """
    store_id = $1 AND owner_id = $2 AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::timestamptz IS NULL OR starts_at >= $5) AND ($6::timestamptz IS NULL OR starts_at < $6)
    AND ($7::text IS NULL OR guest_name ILIKE $7 OR phone ILIKE $7 OR email ILIKE $7)
"""
COUNT_RESERVATIONS = f"SELECT count(*) FROM reservations_reservation WHERE {RESERVATION_FILTER}"
# From a given day on in ascending order of time; otherwise latest first.
SELECT_RESERVATION_PAGE = {
    is_forward: f"""
        SELECT {RESERVATION_COLUMNS} FROM reservations_reservation WHERE {RESERVATION_FILTER}
        ORDER BY starts_at {order}, id {order} LIMIT $8 OFFSET $9
    """
    for is_forward, order in ((True, "ASC"), (False, "DESC"))
}
SELECT_RESERVATION = (
    f"SELECT {RESERVATION_COLUMNS} FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND store_id = $3"
)
UPDATE_RESERVATION_STATUS = f"""
    UPDATE reservations_reservation SET status = $3, cancelled_by = $4, updated_at = $5
    WHERE id = $1 AND owner_id = $2 RETURNING {RESERVATION_COLUMNS}
"""


async def list_reservations(
    caller: Caller, store_id: int, query: ReservationQuery, page: PageRequest
) -> RecordPage[Reservation]:
    """Return a page of a store's reservations, in order of time if a first day is given, otherwise latest first.

    Raises ``NotFound``, ``ValidationFailed`` if ``from`` is after ``to``.
    """
    await require_store(caller, store_id)
    since, until = _get_time_window(query, await get_store_timezone(caller.owner_id, store_id))
    scope = (store_id, caller.owner_id, query.kind and query.kind.value, query.status, since, until)
    pattern = f"%{escape_like(query.search)}%" if query.search else None
    total = await sql.fetch_value(COUNT_RESERVATIONS, *scope, pattern)
    rows = await sql.fetch(SELECT_RESERVATION_PAGE[since is not None], *scope, pattern, page.size(), page.offset())
    return page.of(await load_reservations(rows), total)


async def get_reservation(caller: Caller, store_id: int, reservation_id: int) -> Reservation:
    """Return one reservation. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_RESERVATION, reservation_id, caller.owner_id, store_id)
    return await load_reservation(row)


async def update_status(caller: Caller, store_id: int, reservation_id: int, body: ReservationStatusBody) -> Reservation:
    """Update the status of a table reservation, and release its tables if the status is final.

    Setting the current status again has no effect. A deposit goes back, or is kept, with a status that is final.
    Raises ``NotFound``; ``Conflict`` for a stay, for a status that
    cannot follow, and for a no-show before the start. Emits ``ReservationCancelled`` when it becomes ``cancelled``.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        row = await lock_table_reservation(caller, store_id, reservation_id)
        if row["status"] == body.status:
            return await load_reservation(row)
        _check_transition(row, body.status)
        by = body.cancelled_by if body.status is ReservationStatus.CANCELLED else None
        changed = await sql.one(
            UPDATE_RESERVATION_STATUS, row["id"], caller.owner_id, body.status.value, by, clock.now()
        )
        if body.status not in OPEN_STATUSES:
            await table_assignments.release_tables(caller.owner_id, row["id"])
        if body.status is ReservationStatus.CANCELLED:
            await publish_reservation_event(ReservationCancelled, changed)
        await deposits.settle_deposit(changed, caller.actor)
    return await load_reservation(changed)


async def lock_table_reservation(caller: Caller, store_id: int, reservation_id: int) -> sql.Row:
    """Return a table reservation, locked. Raises ``NotFound``, ``Conflict`` for a stay."""
    row = await sql.require_one(f"{SELECT_RESERVATION} FOR NO KEY UPDATE", reservation_id, caller.owner_id, store_id)
    if row["kind"] == ReservationKind.STAY:
        raise Conflict("This is a stay. Change it through the hotel's routes.", extras={"reason": "stay"})
    return row


def _check_transition(row: sql.Row, status: ReservationStatus) -> None:
    before = ReservationStatus(row["status"])
    if status not in NEXT_STATUSES.get(before, set()):
        raise Conflict(f"A reservation that is {before} cannot become {status}.", extras={"status": before.value})
    if status is ReservationStatus.NO_SHOW and clock.now() < row["starts_at"]:
        raise Conflict(Sentence("This reservation has not started yet."), extras={"status": before.value})


def _get_time_window(query: ReservationQuery, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    if query.on and (query.from_ or query.to):
        raise ValidationFailed(on=["Use either on, or from and to."])
    if query.from_ and query.to and query.from_ > query.to:
        raise ValidationFailed({"from": ["Must not be after to."]})
    first, last = query.on or query.from_, query.on or query.to
    since = get_start_of_day(first, zone) if first else None
    until = get_start_of_day(last + timedelta(days=1), zone) if last else None
    return since, until


def get_start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """Return the start of a day in a time zone."""
    return datetime.combine(day, time.min, zone)
