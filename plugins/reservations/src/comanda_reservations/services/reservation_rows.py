"""Rows of reservations, and the records made of them."""

from typing import Final

from comanda.platform.db import sql

from comanda_reservations.models import CancelledBy, ReservationKind
from comanda_reservations.records import Reservation

RESERVATION_COLUMNS: Final = """
    id, owner_id, store_id, kind, status, guest_name, phone, email, party_size, starts_at, ends_at, table_numbers,
    note, source, cancelled_by, created_at
"""


def to_reservation(row: sql.Row) -> Reservation:
    """Return the reservation of a row with ``RESERVATION_COLUMNS``."""
    return Reservation(
        id=row["id"],
        kind=ReservationKind(row["kind"]),
        status=row["status"],
        guest_name=row["guest_name"],
        phone=row["phone"],
        email=row["email"],
        party_size=row["party_size"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        table_numbers=row["table_numbers"],
        note=row["note"],
        source=row["source"],
        cancelled_by=None if row["cancelled_by"] is None else CancelledBy(row["cancelled_by"]),
        created_at=row["created_at"],
    )
