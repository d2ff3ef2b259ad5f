"""The reseller of a customer."""

from types import SimpleNamespace

from comanda_reseller.services.customers.own_subscription import find_reseller


async def test_reseller_is_found_by_its_customer_alone(reseller, other_owner):
    customer = await reseller.customer()

    assert await find_reseller(SimpleNamespace(owner_id=customer.id)) == reseller.owner.id
    assert await find_reseller(SimpleNamespace(owner_id=other_owner.id)) is None
    assert await find_reseller(SimpleNamespace(owner_id=reseller.owner.id)) is None
