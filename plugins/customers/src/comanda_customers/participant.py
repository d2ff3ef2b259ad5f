"""Order participant: no order of a customer is placed while their data is erased, which would miss it."""

from typing import Final

from comanda.basics import Sentence, Unauthenticated
from comanda.contracts import OrderRequest
from comanda.platform.db import sql

from comanda_customers.caller_kinds import CUSTOMER

PARTICIPANT_NAME: Final = "customers"
# Orders with a customer's token are checked by their own service.
AUDIENCE: Final = "storefront"
# Erasure locks the row as well: it waits for this order and then finds it.
LOCK_CUSTOMER: Final = """
    SELECT id FROM customers_customer WHERE id = $1 AND owner_id = $2 AND erased_at IS NULL FOR SHARE
"""


def is_from_page(request: OrderRequest, _loaded: None) -> bool:
    """Return whether a customer orders who is signed in on the store's page."""
    return request.caller.kind == CUSTOMER.code and request.audience == AUDIENCE


async def lock_customer(request: OrderRequest, _loaded: None) -> None:
    """Lock the customer until the order is placed. Raises ``Unauthenticated`` if their data was erased."""
    found = await sql.fetch_value(LOCK_CUSTOMER, request.caller.subject_id, request.terms.owner_id)
    if found is None:
        raise Unauthenticated(Sentence("You are not signed in."), extras={"reason": "signed_out"})
