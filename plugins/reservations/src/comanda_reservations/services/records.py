"""The columns of reservations, and their record in the API."""

from typing import Any, Final

from comanda.db import sql

RESERVATION_COLUMNS: Final = """
    id, owner_id, store_id, kind, status, guest_name, phone, email, party_size, starts_at, ends_at, table_numbers,
    note, source, cancelled_by, created_at
"""
RECORD_FIELDS: Final = (
    "id",
    "kind",
    "status",
    "guest_name",
    "phone",
    "email",
    "party_size",
    "starts_at",
    "ends_at",
    "table_numbers",
    "note",
    "source",
    "cancelled_by",
    "created_at",
)


def to_reservation_record(row: sql.Row) -> dict[str, Any]:
    """Return a reservation's API record from a row with ``RESERVATION_COLUMNS``."""
    return {key: row[key] for key in RECORD_FIELDS}
