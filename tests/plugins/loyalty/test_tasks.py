"""The task that lets points expire: many accounts, in every store."""

from comanda_loyalty.services import expiry
from comanda_loyalty.tasks import expire_points


async def test_accounts_expire_in_batches(set_programme, new_customer, clock, monkeypatch, check_ledger):
    await set_programme(expires_after_months=1)
    customers = [await new_customer(name) for name in ("Ada", "Bea", "Cleo")]
    for customer in customers:
        await customer.adjust(7)
    monkeypatch.setattr(expiry, "SELECT_DUE", expiry.SELECT_DUE.replace("LIMIT 200", "LIMIT 1"))
    clock.advance(days=40)

    await expire_points()

    assert [await customer.points() for customer in customers] == [0, 0, 0]
    await check_ledger()
