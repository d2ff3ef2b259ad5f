"""The tables of a store: listed, added, changed, removed."""

from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import bump_menu_version

from comanda_reservations import rules
from comanda_reservations.models import Table
from comanda_reservations.schemas import TableBody, TableChange

MAX_TABLES = 200
PER_PAGE = 100

NUMBERS = "SELECT number, is_active FROM reservations_table WHERE store_id = $1 AND owner_id = $2"
# Who has the table reserved sees the new number; what is over keeps the old one.
RENAME = """
    UPDATE reservations_reservation SET table_numbers = array_replace(table_numbers, $3, $4)
    WHERE owner_id = $2 AND id IN (
        SELECT reservation_id FROM reservations_seating WHERE table_id = $1 AND owner_id = $2)
"""
# Nobody said of these that the guests have gone, but their time is over.
FORGET = "DELETE FROM reservations_seating WHERE table_id = $1 AND owner_id = $2 AND ends_at <= $3"
IS_HELD = "SELECT EXISTS (SELECT FROM reservations_seating WHERE table_id = $1 AND owner_id = $2)"


async def numbers_in_use(owner_id: int, store_id: int) -> frozenset[str] | None:
    """Return the numbers of a store's tables in use, or None where it has defined none at all."""
    rows = await sql.fetch(NUMBERS, store_id, owner_id)
    return frozenset(row["number"] for row in rows if row["is_active"]) if rows else None


async def page_of_tables(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's tables in the owner's order. Raises ``NotFound``."""
    await rules.must_serve_tables(caller, store_id)
    mine = Table.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await mine.order_by("position", "id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    return page.envelope([_record(row) for row in rows], await mine.count(), PER_PAGE)


async def table(caller: Caller, store_id: int, table_id: int) -> dict[str, Any]:
    """Describe one table. Raises ``NotFound``."""
    await rules.must_serve_tables(caller, store_id)
    return _record(await _own(caller, store_id, table_id))


async def add_table(caller: Caller, store_id: int, body: TableBody) -> dict[str, Any]:
    """Add a table.

    Raises ``NotFound``, ``ValidationFailed`` for a number that is taken, ``Conflict`` beyond ``MAX_TABLES``.
    """
    await rules.must_serve_tables(caller, store_id)
    async with sql.transaction():
        await rules.locked(caller.owner_id, store_id)
        mine = Table.filter(owner_id=caller.owner_id, store_id=store_id)
        await _check_number(caller, store_id, body.number)
        if await mine.count() >= MAX_TABLES:
            raise Conflict(f"A store has at most {MAX_TABLES} tables.", extras={"limits": {"tables": MAX_TABLES}})
        made = await Table.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            created_at=clock.now(),
            **{**body.model_dump(), "area": body.area or None},
        )
        await bump_menu_version(caller.owner_id, store_id)
    return _record(made)


async def change_table(caller: Caller, store_id: int, table_id: int, change: TableChange) -> dict[str, Any]:
    """Change a table; reservations that have it keep it, under its new number.

    Raises ``NotFound``, ``ValidationFailed`` for a number that is taken.
    """
    await rules.must_serve_tables(caller, store_id)
    columns = change.model_dump(exclude_unset=True)
    if "area" in columns:
        columns["area"] = columns["area"] or None
    columns = {name: value for name, value in columns.items() if value is not None or name == "area"}
    async with sql.transaction():
        await rules.locked(caller.owner_id, store_id)
        found = await _own(caller, store_id, table_id)
        number = columns.get("number", found.number)
        if number != found.number:
            await _check_number(caller, store_id, number)
            await sql.execute(RENAME, table_id, caller.owner_id, found.number, number)
        if columns:
            found.update_from_dict(columns)
            await found.save(update_fields=list(columns))
            await bump_menu_version(caller.owner_id, store_id)
    return _record(found)


async def delete_table(caller: Caller, store_id: int, table_id: int) -> None:
    """Remove a table. Raises ``NotFound``, ``Conflict`` while a reservation has it."""
    await rules.must_serve_tables(caller, store_id)
    async with sql.transaction():
        await rules.locked(caller.owner_id, store_id)
        found = await _own(caller, store_id, table_id)
        await sql.execute(FORGET, table_id, caller.owner_id, clock.now())
        if await sql.fetch_value(IS_HELD, table_id, caller.owner_id):
            raise Conflict(
                f"Table {found.number} is reserved. Move those guests first, or set is_active to false.",
                extras={"reason": "reserved"},
            )
        await sql.execute("DELETE FROM reservations_table WHERE id = $1 AND owner_id = $2", table_id, caller.owner_id)
        await bump_menu_version(caller.owner_id, store_id)


async def _own(caller: Caller, store_id: int, table_id: int) -> Table:
    found = await Table.get_or_none(id=table_id, store_id=store_id, owner_id=caller.owner_id)
    if found is None:
        raise NotFound
    return found


async def _check_number(caller: Caller, store_id: int, number: str) -> None:
    if await Table.exists(owner_id=caller.owner_id, store_id=store_id, number=number):
        raise ValidationFailed(number=[f"There is a table {number} already."])


def _record(row: Table) -> dict[str, Any]:
    return {
        "id": row.id,
        "number": row.number,
        "seats": row.seats,
        "area": row.area,
        "is_active": row.is_active,
        "position": row.position,
    }
