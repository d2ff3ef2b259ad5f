"""What other plugins may ask about a store's customers.

The view ``customers_customer_v1`` publishes their contact data to plugins that work without this one too.
"""

from typing import Final

from comanda.platform.db import sql

from comanda_customers.records.customers import Profile
from comanda_customers.scopes import LABELS as SCOPE_LABELS
from comanda_customers.services.profiles import get_profile

__all__ = ["SCOPE_LABELS", "Profile", "get_profile", "is_customer", "lock_customer"]

SELECT_CUSTOMER: Final = """
    SELECT id FROM customers_customer WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND erased_at IS NULL
"""


async def is_customer(owner_id: int, store_id: int, customer_id: int) -> bool:
    """Return whether a store has this customer; one whose data was erased is none."""
    return await sql.fetch_value(SELECT_CUSTOMER, customer_id, owner_id, store_id) is not None


async def lock_customer(owner_id: int, store_id: int, customer_id: int) -> bool:
    """Return whether a store has this customer, who is not erased before the open transaction ends."""
    statement = f"{SELECT_CUSTOMER} FOR NO KEY UPDATE"
    return await sql.fetch_value(statement, customer_id, owner_id, store_id) is not None
