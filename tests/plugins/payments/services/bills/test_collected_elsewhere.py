import pytest
from comanda.basics import NotFound
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql
from comanda_payments.services.bills.collected_elsewhere import record_collected_payment


@pytest.fixture
async def order(client, owner):
    store = TestStore(client, owner, await owner.store())
    placed = await store.order(line(await store.item("Soup", 5)))
    placed["store"] = store
    return placed


async def record(owner, order, amount_minor):
    async with sql.transaction():
        await record_collected_payment(
            owner.id, order["store"].id, order["id"], "card_external", amount_minor, reference="R1", actor="hubrise:1"
        )


async def test_part_is_recorded_and_the_rest_stays_due(owner, order):
    await record(owner, order, 200)

    found = await order["store"].get(f"/orders/{order['id']}")
    assert (found["paid_total"], found["amount_due"], found["is_paid"]) == (2.0, 3.0, False)


async def test_never_more_than_what_is_due_is_recorded(owner, order):
    await record(owner, order, 900)
    await record(owner, order, 100)

    payments = (await order["store"].get(f"/orders/{order['id']}/payments"))["data"]
    assert [(each["amount"], each["reference"], each["status"]) for each in payments] == [(5.0, "R1", "succeeded")]
    assert (await order["store"].get(f"/orders/{order['id']}"))["is_paid"] is True


async def test_order_of_another_owner_is_not_found(other_owner, order):
    with pytest.raises(NotFound):
        await record(other_owner, order, 500)
