"""Forgets what was noted with the cash of a person's orders: amounts stay."""

from typing import Final

from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.db import sql

FORGET: Final = """
    UPDATE drawer_movement SET note = NULL, body_hash = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])
"""


async def erase(person: Person) -> None:
    """Take the notes from the movements of a person's orders."""
    await sql.execute(FORGET, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("drawer", erase)
