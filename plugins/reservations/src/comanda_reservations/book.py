"""A store's book: its tables, and who holds them around a time."""

from collections.abc import Collection

from comanda.db import sql

from comanda_reservations.planning import Booking, Plan, Seats, Span
from comanda_reservations.rules import Rules

TABLES = """
    SELECT id, number, seats, area, is_active FROM reservations_table
    WHERE store_id = $1 AND owner_id = $2 ORDER BY position, id
"""
BOOKINGS = """
    SELECT r.id, r.starts_at, r.ends_at, r.party_size,
           array(SELECT s.table_id FROM reservations_seating s
                 WHERE s.reservation_id = r.id AND s.owner_id = r.owner_id) AS table_ids
    FROM reservations_reservation r
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.kind = 'table' AND r.status IN ('pending', 'confirmed', 'seated')
        AND r.ends_at > $3 AND r.starts_at < $4
"""
SEAT = """
    INSERT INTO reservations_seating (owner_id, reservation_id, table_id, starts_at, ends_at)
    SELECT $1, $2, table_id, $4, $5 FROM unnest($3::bigint[]) AS table_id
"""
FREE = "DELETE FROM reservations_seating WHERE reservation_id = $1 AND owner_id = $2"


async def plan(owner_id: int, store_id: int, rules: Rules, span: Span, also: Collection[str] = ()) -> Plan:
    """Read the tables in use, and those numbered in ``also``, with the reservations that hold some during ``span``."""
    tables = await sql.fetch(TABLES, store_id, owner_id)
    bookings = await sql.fetch(BOOKINGS, store_id, owner_id, span.starts_at, span.ends_at)
    return Plan(
        tables=[_seats(row) for row in tables if row["is_active"] or row["number"] in also],
        bookings=[_booking(row) for row in bookings],
        has_tables=bool(tables),
        capacity_seats=rules.capacity_seats,
    )


async def give(owner_id: int, reservation_id: int, table_ids: list[int], span: Span) -> None:
    """Give a reservation these tables in place of those that it has; the caller holds the book."""
    await release(owner_id, reservation_id)
    if table_ids:
        await sql.execute(SEAT, owner_id, reservation_id, table_ids, span.starts_at, span.ends_at)


async def release(owner_id: int, reservation_id: int) -> None:
    """Let others have a reservation's tables."""
    await sql.execute(FREE, reservation_id, owner_id)


def _seats(row: sql.Row) -> Seats:
    return Seats(row["id"], row["number"], row["seats"], row["area"])


def _booking(row: sql.Row) -> Booking:
    span = Span(row["starts_at"], row["ends_at"])
    return Booking(row["id"], span, row["party_size"], frozenset(row["table_ids"]))
