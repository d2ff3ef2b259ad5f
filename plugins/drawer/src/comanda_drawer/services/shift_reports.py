"""Reports on shifts and their movements."""

from typing import Final

from comanda.basics import Money, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import read_from_replica, sql
from comanda.stores import require_store

from comanda_drawer.models import MovementKind
from comanda_drawer.records import Movement, MovementTotal, Shift, ShiftReport, ShiftTotals
from comanda_drawer.schemas import ShiftQuery
from comanda_drawer.services.rows import MOVEMENT_COLUMNS, SHIFT_COLUMNS, to_movement, to_shift

MAX_SHOWN_MOVEMENTS: Final = 100

SUM_MOVEMENTS = "SELECT coalesce(sum(m.amount_minor), 0) FROM drawer_movement m"
SELECT_SHIFT = f"SELECT {SHIFT_COLUMNS} FROM drawer_shift s WHERE s.id = $1 AND s.owner_id = $2 AND s.store_id = $3"
# A closed shift stores its expected cash; for an open one it is the sum so far.
SELECT_SHIFTS = f"""
    SELECT {SHIFT_COLUMNS},
        coalesce(s.expected_minor, ({SUM_MOVEMENTS} WHERE m.shift_id = s.id AND m.owner_id = s.owner_id)) AS expected
"""
FROM_MATCHING_SHIFTS = """
    FROM drawer_shift s WHERE s.store_id = $1 AND s.owner_id = $2 AND ($3::text IS NULL OR s.status = $3)
        AND ($4::text IS NULL OR lower(s.drawer) = lower($4))
"""
SELECT_TOTALS = """
    SELECT kind, count(*) AS count, sum(amount_minor) AS amount_minor FROM drawer_movement
    WHERE shift_id = $1 AND owner_id = $2 GROUP BY kind
"""
FROM_MOVEMENTS_OF_SHIFT = "FROM drawer_movement WHERE shift_id = $1 AND owner_id = $2"
FROM_UNASSIGNED_MOVEMENTS = "FROM drawer_movement WHERE store_id = $1 AND owner_id = $2 AND shift_id IS NULL"
NEWEST_FIRST = "ORDER BY id DESC LIMIT $3 OFFSET $4"


@read_from_replica
async def list_shifts(caller: Caller, store_id: int, query: ShiftQuery, page: PageRequest) -> RecordPage[Shift]:
    """List a store's shifts, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    chosen = (store_id, caller.owner_id, query.status, query.drawer or None)
    total = await sql.fetch_value(f"SELECT count(*) {FROM_MATCHING_SHIFTS}", *chosen)
    newest = f"{SELECT_SHIFTS} {FROM_MATCHING_SHIFTS} ORDER BY s.id DESC LIMIT $5 OFFSET $6"
    rows = await sql.fetch(newest, *chosen, page.size(), page.offset())
    return page.of([to_shift(row, int(row["expected"])) for row in rows], total)


async def get_shift(caller: Caller, store_id: int, shift_id: int) -> ShiftReport:
    """Return a shift with its totals and newest movements. Raises ``NotFound``."""
    shift = await get_shift_row(caller, store_id, shift_id)
    totals = {row["kind"]: row for row in await sql.fetch(SELECT_TOTALS, shift_id, caller.owner_id)}
    sum_minor = sum(int(row["amount_minor"]) for row in totals.values())
    movements = await sql.fetch(
        f"SELECT {MOVEMENT_COLUMNS} {FROM_MOVEMENTS_OF_SHIFT} {NEWEST_FIRST}",
        shift_id,
        caller.owner_id,
        MAX_SHOWN_MOVEMENTS,
        0,
    )
    return extend_record(
        ShiftReport,
        to_shift(shift, sum_minor if shift["expected_minor"] is None else int(shift["expected_minor"])),
        summary=ShiftTotals(**{kind: _to_total(totals.get(kind), shift["currency"]) for kind in MovementKind}),
        movements=[to_movement(row, shift["currency"]) for row in movements],
    )


async def list_movements(caller: Caller, store_id: int, shift_id: int, page: PageRequest) -> RecordPage[Movement]:
    """List the movements of a shift, newest first. Raises ``NotFound``."""
    shift = await get_shift_row(caller, store_id, shift_id)
    return await _list_page(FROM_MOVEMENTS_OF_SHIFT, shift_id, caller.owner_id, shift["currency"], page)


async def list_unassigned(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Movement]:
    """List unassigned payments and refunds in cash, newest first. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    return await _list_page(FROM_UNASSIGNED_MOVEMENTS, store_id, caller.owner_id, store["currency"], page)


async def get_shift_row(caller: Caller, store_id: int, shift_id: int) -> sql.Row:
    """Return the row of a shift with ``SHIFT_COLUMNS``. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return await sql.require_one(SELECT_SHIFT, shift_id, caller.owner_id, store_id)


async def _list_page(which: str, of_id: int, owner_id: int, currency: str, page: PageRequest) -> RecordPage[Movement]:
    total = await sql.fetch_value(f"SELECT count(*) {which}", of_id, owner_id)
    rows = await sql.fetch(
        f"SELECT {MOVEMENT_COLUMNS} {which} {NEWEST_FIRST}", of_id, owner_id, page.size(), page.offset()
    )
    return page.of([to_movement(row, currency) for row in rows], total)


def _to_total(row: sql.Row | None, currency: str) -> MovementTotal:
    count, amount_minor = (row["count"], int(row["amount_minor"])) if row else (0, 0)
    return MovementTotal(count, Money(amount_minor, currency))
