"""What a plan entitles its customers to."""

from comanda_entitlements import api as entitlements
from comanda_reseller.models import Plan, SubscriptionStatus
from comanda_reseller.services.subscriptions.grants import apply_plan, list_granted

PLAN = {"features": ["webhooks", "gone"], "limits": {"stores": 3}}


def test_unknown_features_are_left_out_and_missing_limits_unlimited(app):
    granted = list_granted(Plan(id=1, owner_id=1, code="pro", **PLAN))

    assert granted["webhooks"] is None
    assert "gone" not in granted
    assert (granted["stores"], granted["items"]) == (3, None)


async def test_customer_of_an_expired_plan_has_quotas_of_zero(owner, other_owner):
    plan = Plan(id=1, owner_id=other_owner.id, code="pro", **PLAN)

    await apply_plan(other_owner.id, owner.id, plan, SubscriptionStatus.ACTIVE)
    served = await entitlements.get_effective(owner.id)
    await apply_plan(other_owner.id, owner.id, plan, SubscriptionStatus.EXPIRED)
    ended = await entitlements.get_effective(owner.id)

    assert (served["stores"].quota, served["webhooks"].is_granted) == (3, True)
    assert ended["stores"].quota == 0
    assert not ended["webhooks"].is_granted
