"""The demo's storefront tokens."""

import pytest
from comanda.accounts import callers
from comanda.operations.demo_data import DemoBuilder
from comanda_storefront import demo
from comanda_storefront.caller_kinds import STOREFRONT


@pytest.fixture
def showcase(owner, other_owner):
    """Return a run of the demo with these stores in this order, and the tokens of an earlier run."""

    def make(*store_ids, kept=None):
        stores = [{"id": id, "slug": "x", "store_type": "restaurant"} for id in store_ids]
        return DemoBuilder({"owner": owner.id, "other_owner": other_owner.id}, stores, kept=kept or {})

    return make


async def store_of(secret):
    return (await callers.find_caller(secret, STOREFRONT)).store_id


async def test_every_demo_store_gets_token_with_all_scopes(showcase, owner, other_owner):
    first, second = await owner.store(), await other_owner.store()
    shown = showcase(first, second)

    await demo.create_demo_tokens(shown)

    role, other_role = shown.tokens
    assert role == "storefront"
    assert other_role.replace("_", "-").startswith(f"storefront-store-{other_owner.id}")
    assert (await callers.find_caller(shown.tokens[role], STOREFRONT)).scopes == {"menu:read", "order:write", "agent"}
    assert [await store_of(secret) for secret in shown.tokens.values()] == [first, second]


async def test_second_run_keeps_tokens(showcase, owner):
    earlier = showcase(await owner.store())
    await demo.create_demo_tokens(earlier)
    later = showcase(earlier.stores[0]["id"], kept=earlier.tokens)

    await demo.create_demo_tokens(later)

    assert later.tokens == earlier.tokens


async def test_token_of_former_first_store_is_not_reused(showcase, owner):
    old = await owner.store()
    earlier = showcase(old)
    await demo.create_demo_tokens(earlier)
    new = await owner.store()
    later = showcase(new, old, kept=earlier.tokens)

    await demo.create_demo_tokens(later)

    assert [await store_of(secret) for secret in later.tokens.values()] == [new, old]


async def test_store_of_other_owner_gets_no_token(showcase):
    shown = showcase(987_654_321_000)

    await demo.create_demo_tokens(shown)

    assert shown.tokens == {}
