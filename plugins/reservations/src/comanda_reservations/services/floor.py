"""The floor of a store now: its tables with their places, who is seated by a reservation, and who comes next today."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reservations.models import ReservationStatus
from comanda_reservations.records import FloorTable, TableReservation
from comanda_reservations.services.reservation_rules import get_store_timezone
from comanda_reservations.services.reservations import get_start_of_day

SELECT_TABLES: Final = """
    SELECT id, number, seats, area, plan_column, plan_row FROM reservations_table
    WHERE store_id = $1 AND owner_id = $2 AND is_active ORDER BY position, id
"""
# Who was seated yesterday may still be there after midnight.
SELECT_SEATINGS: Final = """
    SELECT s.table_id, r.guest_name, r.party_size, r.starts_at, r.status
    FROM reservations_reservation r
    JOIN reservations_seating s ON s.reservation_id = r.id AND s.owner_id = r.owner_id
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.kind = 'table' AND r.status IN ('pending', 'confirmed', 'seated')
        AND r.ends_at > $3 AND r.starts_at < $4
    ORDER BY r.starts_at, r.id
"""


async def list_floor(caller: Caller, store_id: int) -> list[FloorTable]:
    """List the tables in use of a store that the caller works in, in the owner's order; none for one without tables."""
    tables = await sql.fetch(SELECT_TABLES, store_id, caller.owner_id)
    if not tables:
        return []
    zone = await get_store_timezone(caller.owner_id, store_id)
    now = clock.now()
    tomorrow = get_start_of_day(now.astimezone(zone).date() + timedelta(days=1), zone)
    seatings = await sql.fetch(SELECT_SEATINGS, store_id, caller.owner_id, now, tomorrow)
    return [_to_floor_table(row, [each for each in seatings if each["table_id"] == row["id"]]) for row in tables]


def _to_floor_table(row: sql.Row, seatings: Iterable[sql.Row]) -> FloorTable:
    held = [_to_table_reservation(each) for each in seatings]
    return sql.to_record(
        FloorTable,
        row,
        seated=next((each for each in held if each.is_seated), None),
        next_reservation=next((each for each in held if not each.is_seated), None),
    )


def _to_table_reservation(row: sql.Row) -> TableReservation:
    return TableReservation(
        row["guest_name"], row["party_size"], row["starts_at"], row["status"] == ReservationStatus.SEATED
    )
