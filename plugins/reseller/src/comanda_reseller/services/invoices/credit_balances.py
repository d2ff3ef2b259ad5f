"""Credit of customers with their reseller. It changes only while the reseller's counter of invoices is locked."""

from typing import Final

from comanda.platform.db import sql

SELECT_CREDIT: Final = """
    SELECT balance_minor FROM reseller_credit WHERE owner_id = $1 AND customer_owner_id = $2 AND currency = $3
"""
ADD_CREDIT: Final = """
    INSERT INTO reseller_credit AS c (owner_id, customer_owner_id, currency, balance_minor) VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id, customer_owner_id, currency) DO UPDATE SET balance_minor = c.balance_minor + $4
"""
USE_CREDIT: Final = """
    UPDATE reseller_credit SET balance_minor = balance_minor - $4
    WHERE owner_id = $1 AND customer_owner_id = $2 AND currency = $3
"""


async def get_credit(owner_id: int, customer_owner_id: int, currency: str) -> int:
    """Return the credit of a customer in minor units."""
    return int(await sql.fetch_value(SELECT_CREDIT, owner_id, customer_owner_id, currency) or 0)


async def apply_credit(owner_id: int, customer_owner_id: int, currency: str, total_minor: int) -> int:
    """Use credit for an invoice's total, and return how much; a total below zero adds to the credit instead.

    Runs in the open transaction.
    """
    if total_minor < 0:
        await add_credit(owner_id, customer_owner_id, currency, -total_minor)
        return total_minor
    used_minor = min(total_minor, await get_credit(owner_id, customer_owner_id, currency))
    if used_minor:
        await sql.execute(USE_CREDIT, owner_id, customer_owner_id, currency, used_minor)
    return used_minor


async def add_credit(owner_id: int, customer_owner_id: int, currency: str, amount_minor: int) -> None:
    """Add to the credit of a customer in the open transaction."""
    if amount_minor:
        await sql.execute(ADD_CREDIT, owner_id, customer_owner_id, currency, amount_minor)
