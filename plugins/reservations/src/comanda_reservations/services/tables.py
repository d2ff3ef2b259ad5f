"""The tables of a store: list, create, update, delete."""

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import bump_menu_version

from comanda_reservations import models
from comanda_reservations.records import Table
from comanda_reservations.schemas import TableBody, TableChange
from comanda_reservations.services import reservation_rules

HAS_TABLES = "SELECT FROM reservations_table WHERE owner_id = $1 AND store_id = $2"
MAX_TABLES = 200
TABLES_PER_PAGE = 100
CLEARABLE = frozenset({"area", "plan_column", "plan_row"})

SELECT_TABLE_NUMBERS = "SELECT number, is_active FROM reservations_table WHERE store_id = $1 AND owner_id = $2"
# Open reservations of the table get the new number; past ones keep the old one.
RENAME_TABLE_IN_RESERVATIONS = """
    UPDATE reservations_reservation SET table_numbers = array_replace(table_numbers, $3, $4)
    WHERE owner_id = $2 AND id IN (
        SELECT reservation_id FROM reservations_seating WHERE table_id = $1 AND owner_id = $2)
"""
# Reservations that were never completed, but whose time is over.
DELETE_EXPIRED_SEATINGS = "DELETE FROM reservations_seating WHERE table_id = $1 AND owner_id = $2 AND ends_at <= $3"
SELECT_IS_RESERVED = "SELECT EXISTS (SELECT FROM reservations_seating WHERE table_id = $1 AND owner_id = $2)"


async def get_active_table_numbers(owner_id: int, store_id: int) -> frozenset[str] | None:
    """Return the numbers of the store's active tables, or None if it has no tables at all."""
    rows = await sql.fetch(SELECT_TABLE_NUMBERS, store_id, owner_id)
    return frozenset(row["number"] for row in rows if row["is_active"]) if rows else None


async def list_tables(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Table]:
    """Return a page of a store's tables in the owner's order. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id)
    owned = models.Table.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await owned.order_by("position", "id").offset(page.offset(TABLES_PER_PAGE)).limit(page.size(TABLES_PER_PAGE))
    return page.of(
        [_to_table(row) for row in rows], await page.get_total(rows, owned.count, TABLES_PER_PAGE), TABLES_PER_PAGE
    )


async def get_table(caller: Caller, store_id: int, table_id: int) -> Table:
    """Return one table. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id)
    return _to_table(await _get_own_table(caller, store_id, table_id))


async def create_table(caller: Caller, store_id: int, body: TableBody) -> Table:
    """Create a table.

    Raises ``NotFound``, ``ValidationFailed`` for a number that is taken, ``Conflict`` beyond ``MAX_TABLES``.
    """
    await reservation_rules.require_table_service(caller, store_id)
    async with sql.transaction():
        await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
        owned = models.Table.filter(owner_id=caller.owner_id, store_id=store_id)
        await _check_number_is_free(caller, store_id, body.number)
        if await owned.count() >= MAX_TABLES:
            raise Conflict(
                Sentence("A store can have at most %(limit)s tables.", limit=MAX_TABLES),
                extras={"limits": {"tables": MAX_TABLES}},
            )
        created = await models.Table.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            created_at=clock.now(),
            **{**body.model_dump(), "area": body.area or None},
        )
        await bump_menu_version(caller.owner_id, store_id)
    return _to_table(created)


async def update_table(caller: Caller, store_id: int, table_id: int, change: TableChange) -> Table:
    """Update a table. Reservations keep it, under its new number.

    Raises ``NotFound``, ``ValidationFailed`` for a number that is taken.
    """
    await reservation_rules.require_table_service(caller, store_id)
    columns = change.model_dump(exclude_unset=True)
    if "area" in columns:
        columns["area"] = columns["area"] or None
    columns = {name: value for name, value in columns.items() if value is not None or name in CLEARABLE}
    async with sql.transaction():
        await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
        found = await _get_own_table(caller, store_id, table_id)
        number = columns.get("number", found.number)
        if number != found.number:
            await _check_number_is_free(caller, store_id, number)
            await sql.execute(RENAME_TABLE_IN_RESERVATIONS, table_id, caller.owner_id, found.number, number)
        if columns:
            found.update_from_dict(columns)
            await found.save(update_fields=list(columns))
            await bump_menu_version(caller.owner_id, store_id)
    return _to_table(found)


async def delete_table(caller: Caller, store_id: int, table_id: int) -> None:
    """Delete a table. Raises ``NotFound``, ``Conflict`` while it is reserved."""
    await reservation_rules.require_table_service(caller, store_id)
    async with sql.transaction():
        await reservation_rules.lock_reservation_rules(caller.owner_id, store_id)
        found = await _get_own_table(caller, store_id, table_id)
        await sql.execute(DELETE_EXPIRED_SEATINGS, table_id, caller.owner_id, clock.now())
        if await sql.fetch_value(SELECT_IS_RESERVED, table_id, caller.owner_id):
            raise Conflict(
                f"Table {found.number} is reserved. Move those guests first, or set is_active to false.",
                extras={"reason": "reserved"},
            )
        await sql.execute("DELETE FROM reservations_table WHERE id = $1 AND owner_id = $2", table_id, caller.owner_id)
        await bump_menu_version(caller.owner_id, store_id)


async def _get_own_table(caller: Caller, store_id: int, table_id: int) -> models.Table:
    return require_found(await models.Table.get_or_none(id=table_id, store_id=store_id, owner_id=caller.owner_id))


async def _check_number_is_free(caller: Caller, store_id: int, number: str) -> None:
    if await models.Table.exists(owner_id=caller.owner_id, store_id=store_id, number=number):
        raise ValidationFailed(number=[Sentence("The store already has a table %(number)s.", number=number)])


def _to_table(row: models.Table) -> Table:
    return Table(row.id, row.number, row.seats, row.area, row.is_active, row.position, row.plan_column, row.plan_row)
