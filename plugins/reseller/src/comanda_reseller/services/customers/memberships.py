"""The reseller of a customer: the one lookup that begins with the customer's account."""

from comanda.contracts import Caller
from comanda.platform.db import sql

# An account is a customer of one reseller at most, and knows it by nothing but its own id.
SELECT_RESELLER = "SELECT owner_id FROM reseller_customer WHERE customer_owner_id = $1"


async def find_reseller(caller: Caller) -> int | None:
    """Return the owner id of the reseller whose customer the caller is, or None."""
    reseller_id: int | None = await sql.fetch_value(SELECT_RESELLER, caller.owner_id)
    return reseller_id
