"""Forgets by which number coupons were used: the uses stay and count, those of an account for that account."""

from typing import Final

from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.db import sql

FORGET: Final = "UPDATE coupons_use SET phone_key = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"


async def erase(person: Person) -> None:
    """Take the phone number's digits from the uses of a person's orders; whoever orders by it next is somebody new."""
    await sql.execute(FORGET, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("coupons", erase)
