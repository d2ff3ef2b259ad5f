"""The monthly quota of orders: on every way an order is placed, never exceeded, and free for everybody else."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import Reply, line
from comanda.platform.db import sql
from comanda_entitlements import api
from comanda_storefront.caller_kinds import SCOPES, STOREFRONT

MIDDAY = datetime(2030, 1, 15, 12, tzinfo=UTC)
QUOTA = "orders_per_month"


async def count_orders(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE owner_id = $1", owner.id)


async def counted(owner):
    rows = await sql.fetch(
        "SELECT month, orders FROM entitlements_monthly_orders WHERE owner_id = $1 ORDER BY month", owner.id
    )
    return [(str(row["month"]), row["orders"]) for row in rows]


def check_refused(reply, limit, used):
    assert (reply.status, reply["code"], reply["reason"]) == (422, "validation_failed", "quota_reached"), reply
    assert reply["limits"] == {"feature": QUOTA, "limit": limit, "used": used}
    assert reply.errors == {QUOTA: [f"The plan's limit of {limit} orders per month is reached."]}


class Channels:
    """Every way to place an order in a store."""

    def __init__(self, store, soup, mcp):
        self.store, self.soup, self.mcp, self.client = store, soup, mcp, store.client

    @property
    def body(self):
        return {"type": "takeaway", "customer_name": "Ana", "items": [line(self.soup)]}

    async def owner(self):
        return await self.store.place(line(self.soup))

    async def storefront(self):
        return await self._post("/api/v1/storefront/orders", await self._storefront_headers())

    async def page(self):
        slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", self.store.id)
        headers = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
        return await self._post(f"/s/{slug}/orders", headers)

    async def staff(self):
        credentials = {"email": "marta@example.com", "password": "lemon tart at dawn"}
        await self.store.send("POST", "/staff", {"name": "Marta", "role": "cashier", **credentials})
        path = f"/api/v1/restaurants/{self.store.id}/staff/login"
        token = (await self._post(path, {}, {**credentials, "device": "till"}))["token"]
        return await self._post("/api/v1/staff/orders", {"Authorization": f"Bearer {token}"})

    async def customer(self):
        path = f"/api/v1/restaurants/{self.store.id}/customer/register"
        body = {"name": "Ada", "email": "ada@example.com", "password": "correct horse", "device": "phone"}
        token = (await self._post(path, {}, body))["token"]
        return await self._post("/api/v1/customer/orders", {"Authorization": f"Bearer {token}"})

    async def agent(self):
        """Order as a guest's agent and return the refusal as one of REST."""
        guest = self.mcp("/mcp/storefront", await self._storefront_headers())
        cart = await guest.call("create_cart", {"type": "takeaway", "items": [{"item_id": self.soup["id"]}]})
        arguments = {"cart_id": cart["cart_id"], "expected_total": cart["total"], "idempotency_key": "4" * 16}
        return await guest.refused("place_order", {**arguments, "customer_name": "Ada", "phone": "+351 912 345 678"})

    async def _storefront_headers(self):
        owner_id = self.store.owner.id
        issued = await accounts.issue_token(STOREFRONT, owner_id, SCOPES, name="test", store_id=self.store.id)
        return {"X-Storefront-Token": issued.secret}

    async def _post(self, path, headers, body=None):
        response = await self.client.post(path, headers=headers, json=body or self.body)
        return Reply(response.status_code, await response.get_json(), dict(response.headers))


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
def channels(store, soup, mcp):
    return Channels(store, soup, mcp)


async def test_order_beyond_the_quota_is_refused(store, owner, soup, plan, clock):
    clock.set(MIDDAY)
    await plan(orders_per_month=2)
    for _ in range(2):
        await store.order(line(soup))

    check_refused(await store.place(line(soup)), 2, 2)
    check_refused(await store.place(line(soup)), 2, 2)

    assert await count_orders(owner) == 2
    assert await counted(owner) == [("2030-01-01", 2)]


@pytest.mark.parametrize("channel", ["owner", "storefront", "page", "staff", "customer"])
async def test_every_channel_counts_and_refuses(channels, owner, plan, channel):
    await plan(orders_per_month=1)

    await channels.owner()
    check_refused(await getattr(channels, channel)(), 1, 1)

    assert await count_orders(owner) == 1


async def test_agent_of_a_guest_is_refused(channels, owner, plan):
    await plan(orders_per_month=0)

    refused = await channels.agent()

    [message] = refused["messages"]
    assert (message["type"], message["code"]) == ("error", "quota_reached")
    assert message["text"] == "The plan's limit of 0 orders per month is reached."
    assert await count_orders(owner) == 0


async def test_repeated_order_is_returned_and_not_counted_again(store, owner, soup, plan, clock):
    clock.set(MIDDAY)
    await plan(orders_per_month=1)

    first = await store.place(line(soup), key="one")
    again = await store.place(line(soup), key="one")

    assert (first.status, again.status, again["id"]) == (201, 201, first["id"])
    assert await counted(owner) == [("2030-01-01", 1)]


async def test_next_month_begins_at_zero(store, owner, soup, plan, clock):
    clock.set(datetime(2030, 1, 31, 23, 59, tzinfo=UTC))
    await plan(orders_per_month=1)
    await store.order(line(soup))
    check_refused(await store.place(line(soup)), 1, 1)

    clock.set(datetime(2030, 2, 1, tzinfo=UTC))
    await store.order(line(soup))

    check_refused(await store.place(line(soup)), 1, 1)
    assert await counted(owner) == [("2030-01-01", 1), ("2030-02-01", 1)]


async def test_orders_of_this_month_before_the_quota_count(store, open_store, owner, soup, plan, clock):
    other = await open_store("restaurant")
    cake = await other.item("Cake")
    clock.set(MIDDAY - timedelta(days=31))
    await store.order(line(soup))
    clock.set(MIDDAY)
    await store.order(line(soup))
    await other.order(line(cake))

    await plan(orders_per_month=3)
    await store.order(line(soup))

    check_refused(await other.place(line(cake)), 3, 3)
    assert await counted(owner) == [("2030-01-01", 3)]


async def test_orders_without_a_quota_between_count_too(store, owner, soup, plan, clock):
    clock.set(MIDDAY)
    await plan(orders_per_month=5)
    await store.order(line(soup))
    await api.remove_source(owner.id, "plan", "pro")
    await store.order(line(soup))
    assert await counted(owner) == [("2030-01-01", 1)]

    await plan(orders_per_month=3)
    await store.order(line(soup))

    assert await counted(owner) == [("2030-01-01", 3)]
    check_refused(await store.place(line(soup)), 3, 3)


async def test_larger_and_smaller_quota_hold_at_once(store, owner, soup, plan, clock):
    clock.set(MIDDAY)
    await plan(orders_per_month=1)
    await store.order(line(soup))
    check_refused(await store.place(line(soup)), 1, 1)

    await api.set_source(owner.id, "add_on", "more orders", {QUOTA: 3})
    await store.order(line(soup))
    await api.remove_source(owner.id, "add_on", "more orders")

    check_refused(await store.place(line(soup)), 1, 2)
    order_id = await sql.fetch_value("SELECT max(id) FROM core_order WHERE owner_id = $1", owner.id)
    assert (await store.set_status(order_id, "preparing")).status == 200


async def test_refused_order_uses_no_quota(store, owner, soup, plan, clock):
    clock.set(MIDDAY)
    await plan(orders_per_month=1)

    assert (await store.place({"item_id": 10**9, "quantity": 1})).status == 422
    await store.order(line(soup))

    assert await counted(owner) == [("2030-01-01", 1)]


async def test_concurrent_orders_of_two_stores_never_exceed_the_quota(store, open_store, owner, soup, plan):
    other = await open_store("restaurant")
    cake = await other.item("Cake")
    await store.order(line(soup))
    await plan(orders_per_month=6)

    replies = await asyncio.gather(
        *(store.place(line(soup)) for _ in range(8)), *(other.place(line(cake)) for _ in range(8))
    )

    assert sorted(reply.status for reply in replies) == [201] * 5 + [422] * 11
    assert await count_orders(owner) == 6


async def test_orders_and_changes_of_the_quota_at_once(store, owner, soup, plan):
    await plan(orders_per_month=100)

    async def change():
        for limit in (None, 100, None, 100):
            await plan(orders_per_month=limit)

    replies, _ = await asyncio.gather(asyncio.gather(*(store.place(line(soup)) for _ in range(20))), change())

    assert {reply.status for reply in replies} == {201}
    assert await count_orders(owner) == 20


async def test_order_of_owner_without_a_quota_takes_no_more_statements(store, owner, soup, statements):
    await store.order(line(soup))
    statements.clear()

    await store.order(line(soup))

    assert [text for text in statements if "entitlements_" in text] == []
    assert len([text for text in statements if "core_order" in text]) == 1
    assert await counted(owner) == []
