"""A restaurant whose days are closed and booked."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import TestStore
from comanda_closings.api import ClosedDays, Sums

NOON = datetime(2030, 5, 15, 12, 0, tzinfo=UTC)
TODAY = NOON.date()
CLOSED_AT = datetime(2030, 5, 16, 1, 30, 15, 250_000, tzinfo=UTC)
PERIOD = "from=2030-05-01&to=2030-05-31"


class Shop(TestStore):
    """A store with a kitchen at 19 % and books at 7 %, as its owner uses it."""

    async def act(self, order, path, body=None, method="POST"):
        """Change an order and return the answer, which has to be good."""
        reply = await self.send(method, f"/orders/{order['id']}{path}", body or {})
        assert reply.status in {200, 201, 202}, reply
        return reply.document

    async def pay(self, order, **fields):
        return await self.act(order, "/payments", {"method": "cash", **fields})

    async def refund(self, order, amount):
        return await self.act(order, "/refunds", {"amount": amount, "reason": "The soup was cold."})

    async def cancel(self, order):
        return await self.act(order, "/status", {"status": "cancelled"}, "PUT")

    async def close(self, day=None):
        """Close days and return the closing."""
        reply = await self.send("POST", "/closings", {} if day is None else {"day": day})
        assert reply.status == 201, reply
        return reply.document

    async def set_accounts(self, **settings):
        return await self.send("PUT", "/settings/accounting", settings)

    async def download(self, client, name, query=PERIOD):
        """Return the response of a file."""
        path = f"/api/v1/restaurants/{self.id}/accounting/export?format={name}&{query}"
        return await client.get(path, headers=self.owner.auth)


@pytest.fixture(scope="session")
def close_with():
    """Return a function that makes a closing of sums, given as ``{(section, code): (count, amount, tax)}``."""

    def create(by_key, *, currency="EUR", number=7, day=TODAY, closed_at=CLOSED_AT):
        return ClosedDays(number, number, day, day, currency, closed_at, Sums(dict(by_key)))

    return create


@pytest.fixture
async def shop(client, owner, clock):
    clock.set(NOON)
    shop = Shop(client, owner, await owner.store())
    await shop.send("PUT", "/settings", {"timezone": "Europe/Berlin", "tax_rate": 19, "is_tax_included": True})
    await shop.send("PUT", "/settings/closings", {"allows_open_checks": True})
    shop.soup = await shop.item("Soup", 11.9)
    shop.cake = await shop.item("Cake", 10.7)
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"tax_rate": 7})
    return shop
