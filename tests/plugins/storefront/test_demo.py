"""The demo's storefront tokens."""

import pytest
from comanda.accounts import callers
from comanda.demo_data.builder import DemoBuilder
from comanda_storefront import demo
from comanda_storefront.kinds import STOREFRONT


@pytest.fixture
def showcase(owner, other_owner):
    """Make a run of the demo that finds stores in this order, and the tokens that an earlier run kept."""

    def make(*store_ids, kept=None):
        stores = [{"id": id, "slug": "x", "store_type": "restaurant"} for id in store_ids]
        return DemoBuilder({"owner": owner.id, "other_owner": other_owner.id}, stores, kept=kept or {})

    return make


async def store_of(secret):
    return (await callers.find_caller(secret, STOREFRONT)).store_id


async def test_every_demo_store_gets_a_token_with_all_scopes(showcase, owner, other_owner):
    first, second = await owner.store(), await other_owner.store()
    shown = showcase(first, second)

    await demo.fill(shown)

    role, other_role = shown.tokens
    assert role == "storefront"
    assert other_role.replace("_", "-").startswith(f"storefront-store-{other_owner.id}")
    assert (await callers.find_caller(shown.tokens[role], STOREFRONT)).scopes == {"menu:read", "order:write", "agent"}
    assert [await store_of(secret) for secret in shown.tokens.values()] == [first, second]


async def test_a_later_run_shows_the_same_tokens(showcase, owner):
    earlier = showcase(await owner.store())
    await demo.fill(earlier)
    later = showcase(earlier.stores[0]["id"], kept=earlier.tokens)

    await demo.fill(later)

    assert later.tokens == earlier.tokens


async def test_a_kept_token_of_a_store_that_is_no_longer_first_is_not_shown_for_another(showcase, owner):
    old = await owner.store()
    earlier = showcase(old)
    await demo.fill(earlier)
    new = await owner.store()
    later = showcase(new, old, kept=earlier.tokens)

    await demo.fill(later)

    assert [await store_of(secret) for secret in later.tokens.values()] == [new, old]


async def test_a_store_that_no_demo_owner_has_gets_none(showcase):
    shown = showcase(987_654_321_000)

    await demo.fill(shown)

    assert shown.tokens == {}
