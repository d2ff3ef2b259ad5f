"""Export and erasure of guests' personal data; nights, prices and the folio are kept."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.orders import find_rows_of, lock_rows_of
from comanda.platform.db import sql

ANONYMIZE_STAYS: Final = f"""
    UPDATE hotel_stay SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


STAY_COLUMNS: Final = (
    "check_in", "check_out", "status", "guest_name", "phone", "email", "adults", "children", "note", "source",
    "created_at",
)  # fmt: skip


async def export_stays(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return a person's stays."""
    return await find_rows_of(person, "hotel_stay", STAY_COLUMNS)


async def anonymize_stays(person: Person) -> None:
    """Remove a person's name, contact data and notes from their stays."""
    await sql.execute(ANONYMIZE_STAYS, person.owner_id, await lock_rows_of(person, "hotel_stay"))


ERASER: Final = PersonalDataEraser("hotel", anonymize_stays, export=export_stays)
