"""Forgets the carts that became a person's orders, with the notes in them."""

from typing import Final

from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.db import sql

# A cart that is no order yet says of nobody whose it is, and is gone within hours.
FORGET: Final = "DELETE FROM storefront_cart WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"


async def erase(person: Person) -> None:
    """Delete the carts that have become orders of a person's."""
    await sql.execute(FORGET, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("storefront", erase)
