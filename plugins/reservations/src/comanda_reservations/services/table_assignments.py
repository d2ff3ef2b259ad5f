"""Table assignments: which reservations hold a store's tables."""

from collections.abc import Collection

from comanda.platform.db import sql

from comanda_reservations.services.reservation_rules import ReservationRules
from comanda_reservations.services.table_plan import PlanTable, TableBooking, TablePlan, TimeSpan

SELECT_TABLES = """
    SELECT id, number, seats, area, is_active FROM reservations_table
    WHERE store_id = $1 AND owner_id = $2 ORDER BY position, id
"""
SELECT_BOOKINGS = """
    SELECT r.id, r.starts_at, r.ends_at, r.party_size,
           array(SELECT s.table_id FROM reservations_seating s
                 WHERE s.reservation_id = r.id AND s.owner_id = r.owner_id) AS table_ids
    FROM reservations_reservation r
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.kind = 'table' AND r.status IN ('pending', 'confirmed', 'seated')
        AND r.ends_at > $3 AND r.starts_at < $4
"""
INSERT_SEATINGS = """
    INSERT INTO reservations_seating (owner_id, reservation_id, table_id, starts_at, ends_at)
    SELECT $1, $2, table_id, $4, $5 FROM unnest($3::bigint[]) AS table_id
"""
DELETE_SEATINGS = "DELETE FROM reservations_seating WHERE reservation_id = $1 AND owner_id = $2"


async def load_table_plan(
    owner_id: int, store_id: int, rules: ReservationRules, span: TimeSpan, also: Collection[str] = ()
) -> TablePlan:
    """Return the active tables, and those numbered in ``also``, with the reservations during ``span``."""
    tables = await sql.fetch(SELECT_TABLES, store_id, owner_id)
    bookings = await sql.fetch(SELECT_BOOKINGS, store_id, owner_id, span.starts_at, span.ends_at)
    return TablePlan(
        tables=[_to_plan_table(row) for row in tables if row["is_active"] or row["number"] in also],
        bookings=[_to_table_booking(row) for row in bookings],
        has_tables=bool(tables),
        capacity_seats=rules.capacity_seats,
    )


async def assign_tables(owner_id: int, reservation_id: int, table_ids: list[int], span: TimeSpan) -> None:
    """Assign tables to a reservation, replacing its current ones. The caller has locked the booking rules."""
    await release_tables(owner_id, reservation_id)
    if table_ids:
        await sql.execute(INSERT_SEATINGS, owner_id, reservation_id, table_ids, span.starts_at, span.ends_at)


async def release_tables(owner_id: int, reservation_id: int) -> None:
    """Delete a reservation's table assignments."""
    await sql.execute(DELETE_SEATINGS, reservation_id, owner_id)


def _to_plan_table(row: sql.Row) -> PlanTable:
    return PlanTable(row["id"], row["number"], row["seats"], row["area"])


def _to_table_booking(row: sql.Row) -> TableBooking:
    span = TimeSpan(row["starts_at"], row["ends_at"])
    return TableBooking(row["id"], span, row["party_size"], frozenset(row["table_ids"]))
