"""What is ordered and paid in tests of amendments."""

import pytest
from comanda.orders.bills import settlement
from comanda.platform.db import sql


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
async def wine(store):
    return await store.item("Wine", 7.5)


@pytest.fixture
def pay(owner):
    async def pay(order, amount_minor):
        async with sql.transaction():
            bill = await settlement.lock_bill_of(owner.id, order["restaurant_id"], order["id"])
            await settlement.settle(bill, "test", paid_minor=amount_minor)

    return pay
