"""Shifts and their movements, as owners and staff read them."""

from typing import Any, Final

from comanda import money
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound
from comanda.stores.services import require_store

from comanda_drawer.models import MovementKind
from comanda_drawer.records import MOVEMENT_COLUMNS, SHIFT_COLUMNS, movement_record, shift_record
from comanda_drawer.schemas import ShiftQuery

SHOWN_MOVEMENTS: Final = 100

SUM = "SELECT coalesce(sum(m.amount_minor), 0) FROM drawer_movement m"
SHIFT = f"SELECT {SHIFT_COLUMNS} FROM drawer_shift s WHERE s.id = $1 AND s.owner_id = $2 AND s.store_id = $3"
# What a closed shift expected was written when it was closed; of an open one it is the sum so far.
LIST = f"""
    SELECT {SHIFT_COLUMNS},
        coalesce(s.expected_minor, ({SUM} WHERE m.shift_id = s.id AND m.owner_id = s.owner_id)) AS expected
"""
MATCHING = """
    FROM drawer_shift s WHERE s.store_id = $1 AND s.owner_id = $2 AND ($3::text IS NULL OR s.status = $3)
        AND ($4::text IS NULL OR lower(s.drawer) = lower($4))
"""
TOTALS = """
    SELECT kind, count(*) AS count, sum(amount_minor) AS amount_minor FROM drawer_movement
    WHERE shift_id = $1 AND owner_id = $2 GROUP BY kind
"""
OF_SHIFT = "FROM drawer_movement WHERE shift_id = $1 AND owner_id = $2"
UNASSIGNED = "FROM drawer_movement WHERE store_id = $1 AND owner_id = $2 AND shift_id IS NULL"
NEWEST = "ORDER BY id DESC LIMIT $3 OFFSET $4"


async def page_of_shifts(caller: Caller, store_id: int, query: ShiftQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's shifts, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    chosen = (store_id, caller.owner_id, query.status, query.drawer or None)
    total = await sql.fetch_value(f"SELECT count(*) {MATCHING}", *chosen)
    newest = f"{LIST} {MATCHING} ORDER BY s.id DESC LIMIT $5 OFFSET $6"
    rows = await sql.fetch(newest, *chosen, page.size(), page.offset())
    return page.envelope([shift_record(row, int(row["expected"])) for row in rows], total)


async def shift(caller: Caller, store_id: int, shift_id: int) -> dict[str, Any]:
    """Describe a shift with its totals and its newest movements. Raises ``NotFound``."""
    found = await _find(caller, store_id, shift_id)
    totals = {row["kind"]: row for row in await sql.fetch(TOTALS, shift_id, caller.owner_id)}
    sum_minor = sum(int(row["amount_minor"]) for row in totals.values())
    movements = await sql.fetch(
        f"SELECT {MOVEMENT_COLUMNS} {OF_SHIFT} {NEWEST}", shift_id, caller.owner_id, SHOWN_MOVEMENTS, 0
    )
    return {
        **shift_record(found, sum_minor if found["expected_minor"] is None else int(found["expected_minor"])),
        "summary": {kind.value: _total(totals.get(kind), found["currency"]) for kind in MovementKind},
        "movements": [movement_record(row, found["currency"]) for row in movements],
    }


async def page_of_movements(caller: Caller, store_id: int, shift_id: int, page: PageRequest) -> dict[str, Any]:
    """List the movements of a shift, newest first. Raises ``NotFound``."""
    found = await _find(caller, store_id, shift_id)
    return await _page(OF_SHIFT, shift_id, caller.owner_id, found["currency"], page)


async def page_of_unassigned(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List the cash of payments and refunds that is in no shift, newest first. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    return await _page(UNASSIGNED, store_id, caller.owner_id, store["currency"], page)


async def _find(caller: Caller, store_id: int, shift_id: int) -> sql.Row:
    await require_store(caller, store_id)
    found = await sql.fetch_one(SHIFT, shift_id, caller.owner_id, store_id)
    if found is None:
        raise NotFound
    return found


async def _page(which: str, of_id: int, owner_id: int, currency: str, page: PageRequest) -> dict[str, Any]:
    total = await sql.fetch_value(f"SELECT count(*) {which}", of_id, owner_id)
    rows = await sql.fetch(f"SELECT {MOVEMENT_COLUMNS} {which} {NEWEST}", of_id, owner_id, page.size(), page.offset())
    return page.envelope([movement_record(row, currency) for row in rows], total)


def _total(row: sql.Row | None, currency: str) -> dict[str, Any]:
    count, amount_minor = (row["count"], int(row["amount_minor"])) if row else (0, 0)
    return {"count": count, "amount": money.to_number(amount_minor, currency)}
