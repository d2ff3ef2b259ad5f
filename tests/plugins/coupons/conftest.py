"""A restaurant whose guests order with codes."""

from datetime import UTC, datetime
from types import SimpleNamespace

import orjson
import pytest
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.order_bodies import OrderBody
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore
from comanda.orders.draft import OrderChannel, OrderLimits
from comanda.orders.idempotency import parse_keys
from comanda.orders.placement import place_order

MONDAY = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
STOREFRONT = OrderChannel("storefront", "storefront", OrderLimits(lines=40, quantity=30))


class Shop(TestStore):
    """A store that guests order from, as the storefront lets them."""

    channel = STOREFRONT
    customer_id = None

    @property
    def guest(self):
        """Whoever holds the store's storefront token, or a customer of the store's."""
        kind = "storefront" if self.customer_id is None else "customer"
        return Caller(kind, 1, self.owner.id, self.id, self.customer_id, frozenset({"order:write"}), None)

    async def coupon(self, code="TEN", **fields):
        """Create a coupon and return its record."""
        terms = {"type": "percentage", "value": 10, **fields}
        reply = await self.send("POST", "/coupons", {"code": code, **terms})
        assert reply.status == 201, reply
        return reply.document

    async def change(self, coupon, **fields):
        return await self.send("PATCH", f"/coupons/{coupon['id']}", fields)

    async def used(self, coupon):
        return (await self.get(f"/coupons/{coupon['id']}"))["used_count"]

    async def buy(self, *lines, code="TEN", key=None, **fields):
        """Place an order through the storefront; raises what refuses it."""
        raw = orjson.dumps({"type": "takeaway", "items": list(lines), "coupon_code": code, **fields})
        body = Unvalidated(OrderBody, raw)
        headers = {} if key is None else {"idempotency-key": key}
        return await place_order(self.guest, self.channel, self.id, body, parse_keys(headers, body))

    async def bought(self, *lines, **fields):
        """Place an order that must be taken, and return it."""
        return (await self.buy(*lines, **fields)).record

    async def orders(self):
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", self.id)

    async def uses(self):
        """How many uses stand, and how many were returned."""
        row = await sql.fetch_one(
            """SELECT count(*) FILTER (WHERE returned_at IS NULL) AS standing, count(returned_at) AS returned
               FROM coupons_use WHERE owner_id = $1""",
            self.owner.id,
        )
        return SimpleNamespace(standing=row["standing"], returned=row["returned"])


@pytest.fixture
async def boutique(client, owner, clock):
    """A shop that counts its stock."""
    clock.set(MONDAY)
    return Shop(client, owner, await owner.store("retail"))


@pytest.fixture
async def shop(client, owner, clock):
    clock.set(MONDAY)
    made = Shop(client, owner, await owner.store())
    made.soup = await made.item("Soup", 10)
    made.cake = await made.item("Cake", 4)
    return made
