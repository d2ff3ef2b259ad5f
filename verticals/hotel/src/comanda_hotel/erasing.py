"""Forgets who stayed: nights, prices and the bill stay."""

from typing import Final

from comanda.contracts.erasure import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.db import sql
from comanda.orders.erasure import lock_rows_of

FORGET: Final = f"""
    UPDATE hotel_stay SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


async def erase(person: Person) -> None:
    """Take a person's name, contact and notes from their stays."""
    await sql.execute(FORGET, person.owner_id, await lock_rows_of(person, "hotel_stay"))


ERASER: Final = PersonalDataEraser("hotel", erase)
