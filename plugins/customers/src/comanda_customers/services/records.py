"""Customers as the API shows them."""

from typing import Any

from comanda.db import sql

from comanda_customers.models import Customer
from comanda_customers.schemas import consents

ORDERS = """
    SELECT count(*) FROM core_order
    WHERE customer_id = $1 AND owner_id = $2 AND store_id = $3 AND status <> 'cancelled'
"""


async def profile(customer: Customer) -> dict[str, Any]:
    """Make a customer's profile."""
    return {
        "id": customer.id,
        "name": customer.name,
        "email": customer.email,
        "email_verified": customer.email is not None
        and customer.email == customer.login_email
        and customer.email_proven_at is not None,
        "phone": customer.phone,
        "phone_verified": customer.phone is not None and customer.phone == customer.login_phone,
        "birthday": customer.birthday,
        "locale": customer.locale,
        "consents": consents.record(customer.consents),
        "orders_count": await sql.fetch_value(ORDERS, customer.id, customer.owner_id, customer.store_id),
        "created_at": customer.created_at,
    }
