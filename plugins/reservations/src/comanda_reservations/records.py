"""Reservations as rows and as the API shows them."""

from typing import Any, Final

from comanda.db import sql

COLUMNS: Final = """id, owner_id, store_id, kind, status, guest_name, phone, email, party_size, starts_at, ends_at,
    table_numbers, note, source, cancelled_by, created_at"""
SHOWN: Final = (
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


def reservation_record(row: sql.Row) -> dict[str, Any]:
    """Make a reservation's record from a row that has ``COLUMNS``."""
    return {key: row[key] for key in SHOWN}
