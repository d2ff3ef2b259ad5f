"""Forgets who stayed: nights, prices and the bill stay."""

from typing import Final

from comanda.contracts.erasure import NOBODY, Eraser, Person
from comanda.db import sql
from comanda.orders.erasure import rows_of

FORGET: Final = f"""
    UPDATE hotel_stay SET guest_name = '{NOBODY}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


async def erase(person: Person) -> None:
    """Take a person's name, contact and notes from their stays."""
    await sql.execute(FORGET, person.owner_id, await rows_of(person, "hotel_stay"))


ERASER: Final = Eraser("hotel", erase)
