"""The tier of a reseller."""

import pytest
from comanda_reseller.services.resellers import account_administration
from comanda_reseller.services.resellers.tiers import choose_tier
from comanda_reseller.settings import DEFAULT_TIERS


async def test_tier_counts_customers(reseller):
    await reseller.customer()

    assert await reseller.get("/tier") == {
        "key": "partner",
        "name": "Partner",
        "discount_percent": 0,
        "min_customers": 0,
        "customers": 1,
        "next_tier": "silver",
        "customers_to_next": 9,
    }


async def test_tier_that_the_operator_set_wins(reseller):
    await account_administration.set_tier(reseller.owner.id, "platinum")

    tier = await reseller.get("/tier")

    assert (tier["key"], tier["discount_percent"]) == ("platinum", 30)
    assert (tier["next_tier"], tier["customers_to_next"]) == (None, None)


@pytest.mark.parametrize(
    ("count", "key"), [(0, "partner"), (9, "partner"), (10, "silver"), (199, "gold"), (200, "platinum")]
)
def test_tier_begins_at_its_number_of_customers(count, key):
    assert DEFAULT_TIERS[choose_tier(DEFAULT_TIERS, count, None)].key == key
