"""The operator's terms: of a store, else of the owner, else of the plan."""

from comanda_payments.services.accounts import fees, terms
from comanda_payments.services.accounts.fees import Fee


async def test_fee_comes_from_the_plan_otherwise(owner, store, monkeypatch):
    class Granted:
        quota = 150

    async def find(_owner_id, _feature):
        return Granted

    monkeypatch.setattr(fees, "get_entitlement", find)

    assert await fees.get_fee(owner.id, store.id) == Fee(15_000)
    await terms.set_fee(owner.id, store.id, Fee(1))
    assert await fees.get_fee(owner.id, store.id) == Fee(1)
    await terms.set_fee(owner.id, store.id, None)
    assert await fees.get_fee(owner.id, store.id) == Fee(15_000)
