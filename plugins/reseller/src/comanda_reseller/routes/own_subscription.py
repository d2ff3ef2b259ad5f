"""The subscription of a customer, as the customer sees it."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_reseller.records.subscriptions import FeatureUsage, OwnSubscription
from comanda_reseller.services.customers import own_subscription

routes = Routes("Subscription")


@routes.get("/subscription", scope="billing:read")
async def get_subscription(caller: Caller) -> OwnSubscription:
    """Return the caller's subscription with its plan; the last one if it has expired.

    404 for an account that never had a subscription from a reseller.
    """
    return await own_subscription.get_own_subscription(caller)


@routes.get("/subscription/usage", scope="billing:read")
async def list_usage(caller: Caller, page: PageRequest) -> RecordPage[FeatureUsage]:
    """List the features, with the caller's limits and how much of each is in use, 20 per page."""
    return await own_subscription.list_usage(caller, page)
