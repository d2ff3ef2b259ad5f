"""Customer tokens: one for each device, of one store, alive while they are used; and the demo's."""

from datetime import timedelta

import pytest
from comanda import clock as clock_module
from comanda.accounts import callers
from comanda.accounts import services as accounts
from comanda.accounts.models import AccessToken
from comanda.demo_data.builder import DemoBuilder
from comanda.errors import NotFound, ValidationFailed
from comanda_customers import demo
from comanda_customers.models import Customer
from comanda_customers.tokens import CUSTOMER, issue_token


@pytest.fixture
async def customer(owner, store_id):
    return await Customer.create(
        owner_id=owner.id, store_id=store_id, name="Ada", email="ada@example.com", created_at=clock_module.now()
    )


async def test_a_token_tells_the_customer_and_the_store(customer, owner, store_id):
    issued = await issue_token(owner.id, store_id, customer.id, " Ada's phone ")

    caller = await callers.find_caller(issued.secret, CUSTOMER)
    assert issued.secret.startswith("cus_")
    assert (caller.kind, caller.owner_id, caller.store_id) == ("customer", owner.id, store_id)
    assert (caller.subject_id, caller.scopes) == (customer.id, {"customer"})
    assert not caller.may("customers:read")
    assert (await AccessToken.get(id=issued.id)).name == "Ada's phone"


async def test_a_token_lives_for_180_days_after_its_last_use(customer, owner, store_id, clock):
    issued = await issue_token(owner.id, store_id, customer.id, "phone")
    assert issued.expires_at == clock() + timedelta(days=180)

    clock.advance(days=179)
    assert (await callers.find_caller(issued.secret, CUSTOMER)).expires_at == clock() + timedelta(days=180)
    clock.advance(days=179)
    assert await callers.find_caller(issued.secret, CUSTOMER) is not None
    clock.advance(days=180)
    assert await callers.find_caller(issued.secret, CUSTOMER) is None


async def test_revoking_one_device_leaves_the_other(customer, owner, store_id):
    phone, laptop = [await issue_token(owner.id, store_id, customer.id, name) for name in ("phone", "laptop")]

    await accounts.revoke_token(owner.id, phone.id)

    assert await callers.find_caller(phone.secret, CUSTOMER) is None
    assert (await callers.find_caller(laptop.secret, CUSTOMER)).token_id == laptop.id


async def test_a_customer_of_another_store_or_owner_gets_no_token(customer, owner, other_owner, store_id):
    elsewhere, nobody = await owner.store(), 987_654_321
    for owner_id, place, who in (
        (other_owner.id, store_id, customer.id),
        (owner.id, elsewhere, customer.id),
        (owner.id, store_id, nobody),
    ):
        with pytest.raises(NotFound):
            await issue_token(owner_id, place, who, "phone")
    assert await AccessToken.filter(kind="customer", owner_id__in=[owner.id, other_owner.id]).count() == 0


@pytest.mark.parametrize("device", ["", "  ", "x" * 101])
async def test_a_device_has_a_label(customer, owner, store_id, device):
    with pytest.raises(ValidationFailed):
        await issue_token(owner.id, store_id, customer.id, device)
    assert await AccessToken.filter(kind="customer", owner_id=owner.id).count() == 0


async def test_a_customers_token_opens_no_owners_route(client, customer, owner, store_id):
    issued = await issue_token(owner.id, store_id, customer.id, "phone")

    for path in ("/me", f"/restaurants/{store_id}/guests", f"/restaurants/{store_id}/orders"):
        response = await client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {issued.secret}"})
        assert response.status_code == 401


def shown(owner, *stores, kept=None):
    found = [{"id": id, "slug": "x", "store_type": store_type} for id, store_type in stores]
    return DemoBuilder({"owner": owner.id}, found, kept=kept or {})


async def test_the_demo_logs_one_customer_in_at_its_restaurant_and_shows_the_token_again(owner):
    first, second = await owner.store(), await owner.store()
    earlier = shown(owner, (first, "retail"), (second, "restaurant"))
    await demo.fill(earlier)
    later = shown(owner, (first, "retail"), (second, "restaurant"), kept=earlier.tokens)

    await demo.fill(later)

    caller = await callers.find_caller(later.tokens["customer"], CUSTOMER)
    assert later.tokens == earlier.tokens
    assert caller.store_id == second
    assert await Customer.filter(owner_id=owner.id).values_list("id", flat=True) == [caller.subject_id]


async def test_the_demo_shows_no_token_of_a_store_that_is_not_its_restaurant(owner):
    first, second = await owner.store(), await owner.store()
    earlier = shown(owner, (first, "restaurant"))
    await demo.fill(earlier)
    later = shown(owner, (second, "restaurant"), kept=earlier.tokens)

    await demo.fill(later)

    assert (await callers.find_caller(later.tokens["customer"], CUSTOMER)).store_id == second


async def test_a_demo_without_stores_has_no_customer(owner):
    empty = shown(owner)

    await demo.fill(empty)

    assert empty.tokens == {}
