"""Checks that a customer belongs to a store."""

from comanda.basics import NotFound, ValidationFailed
from comanda_customers import api as customers


async def check_customer_exists(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``NotFound`` unless the store has this customer."""
    if not await customers.is_customer(owner_id, store_id, customer_id):
        raise NotFound


async def validate_customer_id(owner_id: int, store_id: int, customer_id: int) -> None:
    """Raise ``ValidationFailed`` on ``customer_id`` unless the store has this customer."""
    try:
        await check_customer_exists(owner_id, store_id, customer_id)
    except NotFound as error:
        raise ValidationFailed(customer_id=[f"This store has no customer {customer_id}."]) from error
