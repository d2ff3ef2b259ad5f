"""Customers of a store, as far as payments know of them."""

from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

EXISTS = """
    SELECT id FROM customers_customer WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND erased_at IS NULL
"""


async def must_exist(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``NotFound`` unless the store has this customer."""
    if await sql.fetch_value(EXISTS, customer_id, owner_id, store_id) is None:
        raise NotFound


async def must_be(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``ValidationFailed`` on ``customer_id`` unless the store has this customer."""
    try:
        await must_exist(owner_id, store_id, customer_id)
    except NotFound as error:
        raise ValidationFailed(customer_id=[f"This store has no customer {customer_id}."]) from error
