"""Erasure of guests' personal data; nights, prices and the folio are kept."""

from typing import Final

from comanda.contracts import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.orders import lock_rows_of
from comanda.platform.db import sql

ANONYMIZE_STAYS: Final = f"""
    UPDATE hotel_stay SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


async def anonymize_stays(person: Person) -> None:
    """Remove a person's name, contact data and notes from their stays."""
    await sql.execute(ANONYMIZE_STAYS, person.owner_id, await lock_rows_of(person, "hotel_stay"))


ERASER: Final = PersonalDataEraser("hotel", anonymize_stays)
