"""Checks that a customer belongs to a store."""

from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

SELECT_CUSTOMER = """
    SELECT id FROM customers_customer WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND erased_at IS NULL
"""


async def check_customer_exists(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``NotFound`` unless the store has this customer."""
    if await sql.fetch_value(SELECT_CUSTOMER, customer_id, owner_id, store_id) is None:
        raise NotFound


async def validate_customer_id(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``ValidationFailed`` on ``customer_id`` unless the store has this customer."""
    try:
        await check_customer_exists(owner_id, store_id, customer_id)
    except NotFound as error:
        raise ValidationFailed(customer_id=[f"This store has no customer {customer_id}."]) from error
