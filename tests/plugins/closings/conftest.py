"""A restaurant whose orders are placed, changed, paid and refunded on different days."""

from datetime import UTC, datetime

import orjson
import pytest
from comanda.basics import clock
from comanda.contracts import StoredEvent
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql
from comanda_closings.event_handlers import count_events

# A Wednesday; its business day begins at 04:00 in Lisbon, which is 03:00 UTC.
NOON = datetime(2030, 5, 15, 12, 0, tzinfo=UTC)
PENDING = "SELECT id, name, data FROM core_outbox WHERE owner_id = $1 AND store_id = $2 AND done_at IS NULL ORDER BY id"
DONE = "UPDATE core_outbox SET done_at = now() WHERE owner_id = $1 AND id = ANY($2::bigint[])"


class Shop(TestStore):
    """A store with day reports and closings, as its owner uses them."""

    async def report(self, query=""):
        """Return the day report."""
        return (await self.get(f"/day-report?{query}")).document

    async def figures(self, query=""):
        """Return the figures of the report that are not zero."""
        return {name: value for name, value in (await self.report(query))["figures"].items() if value}

    async def act(self, order, path, body=None, method="POST"):
        """Change an order and return the answer, which has to be good."""
        reply = await self.send(method, f"/orders/{order['id']}{path}", body or {})
        assert reply.status in {200, 201, 202}, reply
        return reply.document

    async def pay(self, order, amount=None, **fields):
        """Pay an order in cash, in full or an amount."""
        body = {"method": "cash", **({} if amount is None else {"amount": amount}), **fields}
        return await self.act(order, "/payments", body)

    async def refund(self, order, amount):
        return await self.act(order, "/refunds", {"amount": amount, "reason": "The soup was cold."})

    async def cancel(self, order):
        return await self.act(order, "/status", {"status": "cancelled"}, "PUT")

    async def void(self, order, quantity=1):
        line_id = order["items"][0]["id"]
        return await self.act(order, f"/lines/{line_id}/void", {"quantity": quantity, "reason": "Cold"})

    async def count_orders(self):
        """Pass the pending events to the handler, which deals with them."""
        rows = await sql.fetch(PENDING, self.owner.id, self.id)
        await count_events([StoredEvent(row["id"], self.owner.id, self.id, row["name"], _read(row), clock.now())
                            for row in rows if "order_id" in _read(row)])  # fmt: skip
        await sql.execute(DONE, self.owner.id, [row["id"] for row in rows])

    async def close(self, day=None, **headers):
        """Close days and return the answer."""
        return await self.send("POST", "/closings", {} if day is None else {"day": day}, **headers)

    async def allow_open_checks(self):
        reply = await self.send("PUT", "/settings/closings", {"allows_open_checks": True})
        assert reply.status == 200, reply


def _read(row):
    return orjson.loads(row["data"])


@pytest.fixture
def noon(clock):
    clock.set(NOON)
    return NOON


@pytest.fixture
async def shop(client, owner, noon):
    shop = Shop(client, owner, await owner.store())
    await shop.send("PUT", "/settings", {"timezone": "Europe/Lisbon", "day_start": "04:00"})
    shop.soup = await shop.item("Soup", 10)
    shop.cake = await shop.item("Cake", 4)
    return shop
