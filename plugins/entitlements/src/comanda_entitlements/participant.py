"""The order participant that counts the orders of owners with a monthly quota. It leaves all other orders alone."""

from typing import Final

from comanda.contracts import NewOrder, OrderRequest, StoreTerms
from comanda.platform import create_quota_error

from comanda_entitlements.services import effective, monthly_orders
from comanda_entitlements.services.changes import ORDERS_FEATURE

# Last, because the count is locked from here to the commit, and every order of the owner waits for it.
PRIORITY: Final = 1000


async def load(terms: StoreTerms) -> int | None:
    """Return the quota of orders per month of a store's owner; a new quota gives the store's menu a new version."""
    return (await effective.find_entitlement(terms.owner_id, ORDERS_FEATURE)).quota


def has_quota(_request: OrderRequest, quota: int | None) -> bool:
    """Return whether the owner has a quota of orders."""
    return quota is not None


async def count_order(request: OrderRequest, quota: int | None, order: NewOrder) -> None:
    """Count a new order. Raises ``ValidationFailed`` with the reason ``quota_reached``."""
    owner_id = request.terms.owner_id
    if quota is None or await monthly_orders.count_order(owner_id, order.id, quota) is not None:
        return
    # Above the quota after a change to a smaller plan, so the count is read rather than assumed.
    raise create_quota_error(ORDERS_FEATURE, quota, await monthly_orders.get_counted(owner_id))
