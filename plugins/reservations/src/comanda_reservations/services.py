"""The list of a store's reservations, and how one goes on from state to state."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import require_store

from comanda_reservations import book
from comanda_reservations.events import ReservationCancelled, announce
from comanda_reservations.models import ReservationKind, ReservationStatus
from comanda_reservations.records import COLUMNS, reservation_record
from comanda_reservations.rules import zone_of
from comanda_reservations.schemas import ReservationQuery, ReservationStatusBody

OPEN: Final = frozenset({ReservationStatus.PENDING, ReservationStatus.CONFIRMED, ReservationStatus.SEATED})
NEXT: Final = {
    ReservationStatus.PENDING: {ReservationStatus.CONFIRMED, ReservationStatus.SEATED, ReservationStatus.CANCELLED},
    ReservationStatus.CONFIRMED: {ReservationStatus.SEATED, ReservationStatus.CANCELLED, ReservationStatus.NO_SHOW},
    ReservationStatus.SEATED: {ReservationStatus.COMPLETED},
}

MATCHING = """
    store_id = $1 AND owner_id = $2 AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::timestamptz IS NULL OR starts_at >= $5) AND ($6::timestamptz IS NULL OR starts_at < $6)
    AND ($7::text IS NULL OR guest_name ILIKE $7 OR phone ILIKE $7 OR email ILIKE $7)
"""
COUNT = f"SELECT count(*) FROM reservations_reservation WHERE {MATCHING}"
# A day, or what is to come, is read from its beginning; everything at once from its end.
PAGE = {
    is_forward: f"""
        SELECT {COLUMNS} FROM reservations_reservation WHERE {MATCHING}
        ORDER BY starts_at {order}, id {order} LIMIT $8 OFFSET $9
    """
    for is_forward, order in ((True, "ASC"), (False, "DESC"))
}
ONE = f"SELECT {COLUMNS} FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND store_id = $3"
SET_STATUS = f"""
    UPDATE reservations_reservation SET status = $3, cancelled_by = $4, updated_at = $5
    WHERE id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""


async def page_of_reservations(
    caller: Caller, store_id: int, query: ReservationQuery, page: PageRequest
) -> dict[str, Any]:
    """List a store's reservations of both kinds, in order of time from a day on, else latest first.

    Raises ``NotFound``, ``ValidationFailed`` for days that are the wrong way round.
    """
    await require_store(caller, store_id)
    since, until = _window(query, await zone_of(caller.owner_id, store_id))
    scope = (store_id, caller.owner_id, query.kind and query.kind.value, query.status, since, until)
    pattern = f"%{_escaped(query.search)}%" if query.search else None
    total = await sql.fetch_value(COUNT, *scope, pattern)
    rows = await sql.fetch(PAGE[since is not None], *scope, pattern, page.size(), page.offset())
    return page.envelope([reservation_record(row) for row in rows], total)


async def reservation(caller: Caller, store_id: int, reservation_id: int) -> dict[str, Any]:
    """Describe one reservation. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(ONE, reservation_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    return reservation_record(row)


async def set_status(caller: Caller, store_id: int, reservation_id: int, body: ReservationStatusBody) -> dict[str, Any]:
    """Take a table's reservation to another status; its tables are free once it is over.

    The status that it has changes nothing. Raises ``NotFound``; ``Conflict`` for a stay, for a status that cannot
    follow, and for guests who do not come before they were expected. Emits ``ReservationCancelled`` when it becomes
    ``cancelled``.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        row = await locked_table_reservation(caller, store_id, reservation_id)
        if row["status"] == body.status:
            return reservation_record(row)
        _check_may_follow(row, body.status)
        by = body.cancelled_by if body.status is ReservationStatus.CANCELLED else None
        changed = await sql.fetch_one(SET_STATUS, row["id"], caller.owner_id, body.status.value, by, clock.now())
        assert changed is not None  # noqa: S101 - the row is locked
        if body.status not in OPEN:
            await book.release(caller.owner_id, row["id"])
        if body.status is ReservationStatus.CANCELLED:
            await announce(ReservationCancelled, changed)
    return reservation_record(changed)


async def locked_table_reservation(caller: Caller, store_id: int, reservation_id: int) -> sql.Row:
    """Return a table's reservation and lock it. Raises ``NotFound``, ``Conflict`` for a stay."""
    row = await sql.fetch_one(f"{ONE} FOR NO KEY UPDATE", reservation_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    if row["kind"] == ReservationKind.STAY:
        raise Conflict("This is a stay: the hotel's own routes change it.", extras={"reason": "stay"})
    return row


def _check_may_follow(row: sql.Row, status: ReservationStatus) -> None:
    before = ReservationStatus(row["status"])
    if status not in NEXT.get(before, set()):
        raise Conflict(f"A reservation that is {before} cannot become {status}.", extras={"status": before.value})
    if status is ReservationStatus.NO_SHOW and clock.now() < row["starts_at"]:
        raise Conflict("These guests are not expected yet.", extras={"status": before.value})


def _window(query: ReservationQuery, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    if query.on and (query.from_ or query.to):
        raise ValidationFailed(on=["Give either on, or from and to."])
    if query.from_ and query.to and query.from_ > query.to:
        raise ValidationFailed({"from": ["Must not be after to."]})
    first, last = query.on or query.from_, query.on or query.to
    since = start_of(first, zone) if first else None
    until = start_of(last + timedelta(days=1), zone) if last else None
    return since, until


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment at which a day begins in a time zone."""
    return datetime.combine(day, time.min, zone)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
