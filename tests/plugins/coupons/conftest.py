"""A restaurant whose guests order with coupons."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

import orjson
import pytest
from comanda.basics import ValidationFailed
from comanda.contracts import Caller, OrderBody, Unvalidated
from comanda.devkit.testing import TestStore
from comanda.orders import OrderChannel, OrderLimits, PlaceOrder, parse_keys, to_order_json
from comanda.orders.intake.placement import place_order as place
from comanda.platform.db import sql
from comanda_customers.models import Customer

MONDAY = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
STOREFRONT = OrderChannel("storefront", "storefront", OrderLimits(lines=40, quantity=30))


class CouponStore(TestStore):
    """A store with orders of guests through the storefront."""

    channel = STOREFRONT
    customer_id = None

    @property
    def guest(self):
        """The caller of a storefront order: the storefront's token, or a customer."""
        kind = "storefront" if self.customer_id is None else "customer"
        return Caller(kind, 1, self.owner.id, self.id, self.customer_id, frozenset({"order:write"}), None)

    async def coupon(self, code="TEN", **fields):
        """Create a coupon and return its record."""
        terms = {"type": "percentage", "value": 10, **fields}
        reply = await self.send("POST", "/coupons", {"code": code, **terms})
        assert reply.status == 201, reply
        return reply.document

    async def promotion(self, **fields):
        """Create a promotion and return its record."""
        reply = await self.send("POST", "/promotions", {"name": "Offer", "type": "percentage", "value": 10, **fields})
        assert reply.status == 201, reply
        return reply.document

    async def amend(self, order, path, body):
        """Amend an order and return it."""
        reply = await self.send("POST", f"/orders/{order['id']}/{path}", body)
        assert reply.status in {200, 201}, reply
        return reply.document

    async def sign_in_customer(self):
        """Place the next orders as a customer of this store who has no order yet."""
        email = f"guest{uuid4().hex}@example.com"
        customer = await Customer.create(owner_id=self.owner.id, store_id=self.id, email=email, created_at=MONDAY)
        self.customer_id = customer.id

    async def change(self, coupon, **fields):
        return await self.send("PATCH", f"/coupons/{coupon['id']}", fields)

    async def used(self, coupon):
        return (await self.get(f"/coupons/{coupon['id']}"))["used_count"]

    async def place_unchecked(self, *lines, code="TEN", key=None, **fields):
        """Place an order through the storefront, raising any refusal."""
        raw = orjson.dumps({"type": "takeaway", "items": list(lines), "coupon_code": code, **fields})
        body = Unvalidated(OrderBody, raw)
        headers = {} if key is None else {"idempotency-key": key}
        placed = await place(self.guest, PlaceOrder(self.channel, self.id, body, parse_keys(headers, body)))
        return replace(placed, record=to_order_json(placed.record))

    async def place_order(self, *lines, **fields):
        """Place an order that must be accepted, and return it."""
        return (await self.place_unchecked(*lines, **fields)).record

    async def orders(self):
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", self.id)

    async def uses(self):
        """Count the redemptions in use, and those that were returned."""
        row = await sql.fetch_one(
            """SELECT count(*) FILTER (WHERE returned_at IS NULL) AS standing, count(returned_at) AS returned
               FROM coupons_use WHERE owner_id = $1""",
            self.owner.id,
        )
        return SimpleNamespace(standing=row["standing"], returned=row["returned"])


@pytest.fixture
async def boutique(client, owner, clock):
    """A store that tracks its stock."""
    clock.set(MONDAY)
    return CouponStore(client, owner, await owner.store("retail"))


@pytest.fixture
async def shop(client, owner, clock):
    clock.set(MONDAY)
    store = CouponStore(client, owner, await owner.store())
    store.soup = await store.item("Soup", 10)
    store.cake = await store.item("Cake", 4)
    return store


@pytest.fixture
def get_refusal():
    """Return a function that places an order that must be refused, and returns the error; nothing may be stored."""

    async def place(shop, *lines, **fields):
        before, uses = await shop.orders(), await shop.uses()
        with pytest.raises(ValidationFailed) as refused:
            await shop.place_unchecked(*lines, **fields)
        assert (await shop.orders(), await shop.uses()) == (before, uses)
        return refused.value

    return place


@pytest.fixture
def get_refusal_reason(get_refusal):
    """Return a function that places an order that must be refused for its coupon alone, and returns the reason."""

    async def place(shop, *lines, **fields):
        error = await get_refusal(shop, *lines, **fields)
        assert list(error.errors) == ["coupon_code"]
        assert error.message == error.errors["coupon_code"][0]
        return error.extras["reason"]

    return place


@pytest.fixture
def noon(clock):
    """Let it be noon, when no happy hour of the evening is on."""
    now = clock()
    clock.set(now.replace(hour=12, minute=0) + timedelta(days=now.hour >= 12))
    return clock
