"""Erasure of personal data: the carts that became a person's orders, with their notes."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

# A cart that has not become an order identifies nobody, and expires within hours.
DELETE_CONVERTED_CARTS: Final = "DELETE FROM storefront_cart WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"


async def delete_converted_carts(person: Person) -> None:
    """Delete the carts that became orders of a person."""
    await sql.execute(DELETE_CONVERTED_CARTS, person.owner_id, sorted(person.order_ids))


ERASER: Final = PersonalDataEraser("storefront", delete_converted_carts)
