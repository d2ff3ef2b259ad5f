"""A restaurant whose sales are reported."""

from datetime import UTC, datetime

import pytest
from comanda import clock
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore
from comanda_analytics import feed, filling

NOON = datetime(2030, 5, 15, 12, 0, tzinfo=UTC)


class Shop(TestStore):
    """A store whose orders can be placed on any day, paid and refunded."""

    async def report(self, query=""):
        """Read the report that its owner gets."""
        return (await self.get(f"/analytics?{query}")).document

    async def placed(self, *lines, at=None, **fields):
        """Place an order, as if at another time if one is given, and return its id."""
        order_id = (await self.order(*lines, **fields))["id"]
        if at is not None:
            await sql.execute(
                "UPDATE core_order SET created_at = $3 WHERE id = $1 AND owner_id = $2", order_id, self.owner.id, at
            )
        return order_id

    async def pay(self, order_id, amount=None):
        """Pay an order in cash, all that is left of it or an amount."""
        body = {"method": "cash"} if amount is None else {"method": "cash", "amount": amount}
        reply = await self.send("POST", f"/orders/{order_id}/payments", body)
        assert reply.status == 201, reply
        return reply.document

    async def refund(self, order_id, amount):
        """Give back an amount of what was paid."""
        body = {"amount": amount, "reason": "The soup was cold."}
        reply = await self.send("POST", f"/orders/{order_id}/refunds", body)
        assert reply.status in {200, 201, 202}, reply
        return reply.document

    async def hear(self, *orders, name="order.status_changed"):
        """Tell the handler of events of orders."""
        told = [StoredEvent(1, self.owner.id, self.id, name, {"order_id": id}, clock.now()) for id in orders]
        await feed.follow(told)

    async def fill(self):
        """Count every order of the store."""
        await filling.fill_store(self.id, self.owner.id)

    async def is_counted(self):
        """Tell whether reports are made of days that were added up."""
        statement = "SELECT is_complete FROM analytics_store WHERE store_id = $1 AND owner_id = $2"
        return bool(await sql.fetch_value(statement, self.id, self.owner.id))


@pytest.fixture
def noon(clock):
    clock.set(NOON)
    return NOON


@pytest.fixture
async def shop(client, owner, noon):
    made = Shop(client, owner, await owner.store())
    made.soup = await made.item("Soup", 10)
    made.cake = await made.item("Cake", 4)
    return made
