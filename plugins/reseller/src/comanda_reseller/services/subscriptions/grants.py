"""What a plan entitles its customers to.

A plan is a source of entitlements by its code. While a subscription is paused, and after it has expired, the plan
remains with all quotas at zero and without features: without any plan an account would be entitled to everything.
"""

from collections.abc import Mapping
from typing import Final

from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements
from comanda_entitlements.api import SourceType

from comanda_reseller.models import Plan, SubscriptionStatus

QUOTAS: Final = ("stores", "items", "staff", "orders_per_month", "payment_fee")
SERVED: Final = frozenset(
    {SubscriptionStatus.TRIALING, SubscriptionStatus.ACTIVE, SubscriptionStatus.PAST_DUE, SubscriptionStatus.CANCELLED}
)
SELECT_FORMER_CODES: Final = """
    SELECT DISTINCT p.code FROM reseller_subscription s
    JOIN reseller_change c ON c.subscription_id = s.id AND c.owner_id = s.owner_id
    JOIN reseller_plan p ON p.id = c.plan_id AND p.owner_id = c.owner_id
    WHERE s.owner_id = $1 AND s.customer_owner_id = $2 AND p.id <> $3
"""


async def apply_plan(owner_id: int, customer_owner_id: int, plan: Plan, status: SubscriptionStatus) -> None:
    """Set what a customer is entitled to by its subscription to a plan, in the open transaction.

    Plans that the customer had before are removed after the new one is set, so that a feature of both does not flip.
    """
    granted = list_granted(plan) if status in SERVED else dict.fromkeys(_list_quotas(), 0)
    await entitlements.set_source(customer_owner_id, SourceType.PLAN, plan.code, granted)
    for row in await sql.fetch(SELECT_FORMER_CODES, owner_id, customer_owner_id, plan.id):
        await entitlements.remove_source(customer_owner_id, SourceType.PLAN, row["code"])


def list_granted(plan: Plan) -> Mapping[str, int | None]:
    """Return the features of a plan, with the limits that it sets."""
    known = runtime.registry().features
    features = [feature for feature in plan.features if feature in known]
    return {**dict.fromkeys(features), **{name: plan.limits.get(name) for name in _list_quotas()}}


def _list_quotas() -> list[str]:
    # A plugin that counts one of them may not be installed.
    return [name for name in QUOTAS if name in runtime.registry().features]
