"""The demo customer."""

from comanda.accounts import callers
from comanda.operations.demo_data import DemoBuilder
from comanda_customers import demo
from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Customer


def make_showcase(owner, *stores, kept=None):
    found = [{"id": id, "slug": "x", "store_type": store_type} for id, store_type in stores]
    return DemoBuilder({"owner": owner.id}, found, kept=kept or {})


async def test_demo_reuses_customer_and_token_of_its_restaurant(owner):
    first, second = await owner.store(), await owner.store()
    earlier = make_showcase(owner, (first, "retail"), (second, "restaurant"))
    await demo.create_demo_data(earlier)
    later = make_showcase(owner, (first, "retail"), (second, "restaurant"), kept=earlier.tokens)

    await demo.create_demo_data(later)

    caller = await callers.find_caller(later.tokens["customer"], CUSTOMER)
    assert later.tokens == earlier.tokens
    assert caller.store_id == second
    assert await Customer.filter(owner_id=owner.id).values_list("id", flat=True) == [caller.subject_id]


async def test_demo_replaces_token_of_other_store(owner):
    first, second = await owner.store(), await owner.store()
    earlier = make_showcase(owner, (first, "restaurant"))
    await demo.create_demo_data(earlier)
    later = make_showcase(owner, (second, "restaurant"), kept=earlier.tokens)

    await demo.create_demo_data(later)

    assert (await callers.find_caller(later.tokens["customer"], CUSTOMER)).store_id == second


async def test_demo_without_stores_has_no_customer(owner):
    empty = make_showcase(owner)

    await demo.create_demo_data(empty)

    assert empty.tokens == {}
