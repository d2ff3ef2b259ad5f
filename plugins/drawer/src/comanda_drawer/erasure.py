"""Erasure of the notes on a person's cash movements; amounts stay."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

CLEAR_NOTES: Final = """
    UPDATE drawer_movement SET note = NULL, body_hash = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""


async def erase_person(person: Person) -> None:
    """Delete the notes on the movements of a person's orders."""
    await sql.execute(CLEAR_NOTES, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("drawer", erase_person)
