"""The subscription of a reseller's customer, as the customer sees it."""

from comanda.basics import NotFound, extend_record
from comanda.contracts import Caller, Entitlement, Feature, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements

from comanda_reseller.models import Plan
from comanda_reseller.records.subscriptions import FeatureUsage, OwnSubscription
from comanda_reseller.services.subscriptions import subscription_rows
from comanda_reseller.services.subscriptions.plans import to_plan

# An account is a customer of one reseller at most, and knows it by nothing but its own id.
SELECT_RESELLER = "SELECT owner_id FROM reseller_customer WHERE customer_owner_id = $1"


async def get_own_subscription(caller: Caller) -> OwnSubscription:
    """Return the caller's latest subscription. Raises ``NotFound`` if it never had one from a reseller."""
    reseller_id = await find_reseller(caller)
    found = [] if reseller_id is None else await subscription_rows.list_latest(reseller_id, [caller.owner_id])
    if reseller_id is None or not found:
        raise NotFound
    plan = to_plan(await Plan.get(owner_id=reseller_id, code=found[0].plan_code))
    return extend_record(OwnSubscription, found[0], limits=plan.limits, features=plan.features)


async def list_usage(caller: Caller, page: PageRequest) -> RecordPage[FeatureUsage]:
    """List the features of the installation, with what the caller is entitled to and uses of each."""
    effective = await entitlements.get_effective(caller.owner_id)
    features = sorted(runtime.registry().features.values(), key=lambda feature: feature.code)
    shown = features[page.offset() : page.offset() + page.size()]
    return page.of(
        [await _count(caller.owner_id, feature, effective[feature.code]) for feature in shown], len(features)
    )


async def _count(owner_id: int, feature: Feature, entitlement: Entitlement) -> FeatureUsage:
    return FeatureUsage(
        feature=feature.code,
        label=feature.label,
        is_granted=entitlement.is_granted,
        limit=entitlement.quota,
        used=None if feature.count_used is None else await feature.count_used(owner_id),
    )


async def find_reseller(caller: Caller) -> int | None:
    """Return the owner id of the reseller whose customer the caller is, or None."""
    reseller_id: int | None = await sql.fetch_value(SELECT_RESELLER, caller.owner_id)
    return reseller_id
