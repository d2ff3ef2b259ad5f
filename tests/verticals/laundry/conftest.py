"""A laundry with a shirt by the piece and washing by the kilogram."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.orders import settlement
from comanda.platform.db import sql

# A Friday, at noon.
FRIDAY = datetime(2030, 1, 4, 12, 0, tzinfo=UTC)


class Laundry(TestStore):
    """A laundry; its orders are for the counter."""

    async def set_up(self):
        self.shirt = await self.item("Shirt", 3)
        self.wash = await self.item("Wash and fold", 4.5, is_by_weight=True)

    async def drop_off(self, *lines, **fields):
        """Place an order, of 3 kg of washing unless lines are given."""
        return await self.order(*(lines or [line(self.wash, 3)]), **{"type": "in_store", **fields})

    async def weigh(self, order, grams, place=0, **fields):
        path = f"/laundry/orders/{order['id']}/lines/{order['items'][place]['id']}/weight"
        return await self.send("PUT", path, {"grams": grams, **fields})

    async def tag(self, order, place=0, **fields):
        body = {"line_id": order["items"][place]["id"], **fields}
        return await self.send("POST", f"/laundry/orders/{order['id']}/garments", body)

    async def intake(self, order):
        return (await self.get(f"/laundry/orders/{order['id']}")).document

    async def read(self, order):
        return (await self.get(f"/orders/{order['id']}")).document


@pytest.fixture
async def laundry(client, owner, clock):
    clock.set(FRIDAY)
    laundry = Laundry(client, owner, await owner.store("laundry"))
    await laundry.set_up()
    return laundry


@pytest.fixture
async def foreign_laundry(client, other_owner):
    laundry = Laundry(client, other_owner, await other_owner.store("laundry"))
    await laundry.set_up()
    return laundry


@pytest.fixture
def pay(owner):
    async def pay(order, amount_minor):
        async with sql.transaction():
            bill = await settlement.lock_bill_of(owner.id, order["restaurant_id"], order["id"])
            await settlement.settle(bill, "test", paid_minor=amount_minor)

    return pay
