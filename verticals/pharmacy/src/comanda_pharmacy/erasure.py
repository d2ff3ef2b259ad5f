"""Erasure of personal data: what pharmacists have noted about the orders of a person."""

from typing import Final

from comanda.contracts import ERASED, Person, PersonalDataEraser
from comanda.platform.db import sql

ERASE_NOTES: Final = f"""
    UPDATE pharmacy_release SET note = '{ERASED}'
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL
"""


async def erase_notes(person: Person) -> None:
    """Erase the notes; who decided what, and when, stays."""
    await sql.execute(ERASE_NOTES, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("pharmacy", erase_notes)
