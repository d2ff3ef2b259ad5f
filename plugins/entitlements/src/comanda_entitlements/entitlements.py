"""The provider of entitlements, and the feature that this plugin counts itself."""

from typing import Final

from comanda.contracts import EntitlementProvider, Feature

from comanda_entitlements.services import effective, monthly_orders

ORDERS_PER_MONTH: Final = Feature(
    "orders_per_month",
    "Orders per month",
    quota_unit="orders per month",
    is_limit=True,
    count_used=monthly_orders.count_orders,
)
PROVIDER: Final = EntitlementProvider(effective.find_entitlement, effective.find_entitlements)
