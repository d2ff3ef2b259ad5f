"""Erasure of personal data: notes on garments, which may describe a person. Weights and tags stay."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

DELETE_NOTES: Final = """
    UPDATE laundry_garment SET note = NULL
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND note IS NOT NULL
"""


async def erase_notes(person: Person) -> None:
    """Delete the notes on the garments of a person's orders."""
    await sql.execute(DELETE_NOTES, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("laundry", erase_notes)
