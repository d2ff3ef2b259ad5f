"""Erasure of personal data: the carts that became a person's orders, and those whose sessions name the person."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

# Any other cart identifies nobody, and expires within hours.
DELETE_CONVERTED_CARTS: Final = "DELETE FROM storefront_cart WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"

# The key ``buyer`` of a session holds what an agent said of who buys.
DELETE_CARTS_OF_BUYER: Final = """
    DELETE FROM storefront_cart WHERE owner_id = $1 AND store_id = $2
      AND (session -> 'buyer' ->> 'phone_number' = ANY($3::text[])
           OR lower(session -> 'buyer' ->> 'email') = ANY($4::text[]))
"""


async def delete_carts(person: Person) -> None:
    """Delete the carts that became orders of a person, and those in which an agent named them."""
    await sql.execute(DELETE_CONVERTED_CARTS, person.owner_id, sorted(person.order_ids))
    phones, emails = sorted(person.phones), sorted(person.emails)
    await sql.execute(DELETE_CARTS_OF_BUYER, person.owner_id, person.store_id, phones, emails)


ERASER: Final = PersonalDataEraser("storefront", delete_carts)
