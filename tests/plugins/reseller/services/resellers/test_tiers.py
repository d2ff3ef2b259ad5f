"""The tiers of resellers."""

import pytest
from comanda_reseller.models import Account
from comanda_reseller.services.resellers.tiers import choose_tier, find_tier
from comanda_reseller.settings import DEFAULT_TIERS


@pytest.mark.parametrize(
    ("count", "key"), [(0, "partner"), (9, "partner"), (10, "silver"), (199, "gold"), (200, "platinum")]
)
def test_tier_follows_the_number_of_customers(count, key):
    assert DEFAULT_TIERS[choose_tier(DEFAULT_TIERS, count, None)].key == key


def test_tier_of_the_operator_comes_first():
    assert DEFAULT_TIERS[choose_tier(DEFAULT_TIERS, 0, "gold")].key == "gold"
    assert DEFAULT_TIERS[choose_tier(DEFAULT_TIERS, 12, "no longer there")].key == "silver"


async def test_next_tier_counts_down(reseller):
    await reseller.customer()
    account = await Account.get(owner_id=reseller.owner.id)

    tier = await find_tier(account)

    assert (tier.key, tier.customers, tier.next_tier, tier.customers_to_next) == ("partner", 1, "silver", 9)


async def test_highest_tier_has_no_next(reseller):
    account = await Account.get(owner_id=reseller.owner.id)
    account.tier_key = "platinum"

    tier = await find_tier(account)

    assert (tier.key, tier.next_tier, tier.customers_to_next) == ("platinum", None, None)
