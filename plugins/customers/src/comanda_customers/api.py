"""What other plugins may ask about a store's customers.

The view ``customers_customer_v1`` publishes their contact data to plugins that work without this one too.
"""

from typing import Final

from comanda.platform.db import sql

from comanda_customers.records.customers import Profile
from comanda_customers.scopes import LABELS as SCOPE_LABELS
from comanda_customers.services.guest_list.identities import parse_phone
from comanda_customers.services.profiles import get_profile

__all__ = ["SCOPE_LABELS", "Profile", "find_customer_by_phone", "get_profile", "is_customer", "lock_customer"]

SELECT_CUSTOMER: Final = """
    SELECT id FROM customers_customer WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND erased_at IS NULL
"""
# A number may be the login of one customer and an unproven contact of another.
SELECT_BY_PHONE: Final = """
    SELECT id FROM customers_customer
    WHERE store_id = $1 AND owner_id = $2 AND (login_phone = $3 OR phone = $3)
    ORDER BY login_phone IS DISTINCT FROM $3 LIMIT 1
"""
SELECT_COUNTRY: Final = "SELECT country FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def find_customer_by_phone(owner_id: int, store_id: int, text: str) -> int | None:
    """Return the id of a store's customer with a phone number, if any: of the one who has proven it first.

    A number without a country code is one of the store's country. Raises ``ValidationFailed`` for none.
    """
    phone = parse_phone(text, await sql.fetch_value(SELECT_COUNTRY, store_id, owner_id))
    found: int | None = await sql.fetch_value(SELECT_BY_PHONE, store_id, owner_id, phone.value)
    return found


async def is_customer(owner_id: int, store_id: int, customer_id: int) -> bool:
    """Return whether a store has this customer; one whose data was erased is none."""
    return await sql.fetch_value(SELECT_CUSTOMER, customer_id, owner_id, store_id) is not None


async def lock_customer(owner_id: int, store_id: int, customer_id: int) -> bool:
    """Return whether a store has this customer, who is not erased before the open transaction ends."""
    statement = f"{SELECT_CUSTOMER} FOR NO KEY UPDATE"
    return await sql.fetch_value(statement, customer_id, owner_id, store_id) is not None
