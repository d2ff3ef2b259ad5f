"""After anything that orders and events go through, a report says what the orders themselves add up to."""

import random
from datetime import UTC, date, datetime, timedelta

import pytest
from comanda import clock
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_analytics import feed

FIRST, LAST = date(2030, 5, 1), date(2030, 5, 15)
QUERY = f"from={FIRST}&to={LAST}&by_day=true"
ORDERS = """
    SELECT (created_at AT TIME ZONE 'America/New_York')::date AS day, type, status, total_minor,
        paid_minor - refunded_minor AS kept_minor,
        paid_at IS NOT NULL AS is_paid
    FROM core_order WHERE store_id = $1
"""
QUANTITIES = """
    SELECT l.item_id, max(l.name) AS name, sum(l.quantity)::int AS quantity
    FROM core_order o JOIN core_order_line l ON l.order_id = o.id AND l.owner_id = o.owner_id
    WHERE o.store_id = $1 AND o.status <> 'cancelled'
        AND (o.created_at AT TIME ZONE 'America/New_York')::date BETWEEN $2 AND $3
    GROUP BY l.item_id ORDER BY quantity DESC, name LIMIT 10
"""
STATUSES = ["new", "preparing", "ready", "delivered", "completed", "cancelled", "cancelled"]


async def recomputed(store):
    """Work the report out from the orders, one by one."""
    orders = [row for row in await sql.fetch(ORDERS, store.id) if FIRST <= row["day"] <= LAST]
    standing = [row for row in orders if row["status"] != "cancelled"]
    gross = sum(row["total_minor"] for row in standing)
    return {
        "orders": {
            "total": len(orders),
            "paid": sum(row["is_paid"] for row in orders),
            "by_status": {status: sum(row["status"] == status for row in orders) for status in dict.fromkeys(STATUSES)},
            "by_type": {
                type: sum(row["type"] == type for row in orders)
                for type in ("on-table", "takeaway", "delivery", "room_service")
            },
        },
        "revenue": {
            "gross": gross / 100,
            "paid": sum(row["kept_minor"] for row in orders) / 100,
            "avg_order_value": int(gross / len(standing) + 0.5) / 100 if standing else 0,
        },
        "top_items": [dict(row) for row in await sql.fetch(QUANTITIES, store.id, FIRST, LAST)],
        "by_day": [
            {
                "date": str(day),
                "orders": sum(row["day"] == day for row in orders),
                "paid_orders": sum(row["day"] == day and row["is_paid"] for row in orders),
                "gross": sum(row["total_minor"] for row in standing if row["day"] == day) / 100,
                "paid": sum(row["kept_minor"] for row in orders if row["day"] == day) / 100,
            }
            for day in (FIRST + timedelta(days=number) for number in range(15))
        ],
    }


class Life:
    """What may happen in a store, drawn by lot."""

    def __init__(self, store, items, dice, dispatch):
        self.store, self.items, self.dice, self.dispatch = store, items, dice, dispatch
        self.orders = []

    async def place(self):
        at = datetime(2030, 4, 29, tzinfo=UTC) + timedelta(minutes=self.dice.randrange(18 * 24 * 60))
        chosen = self.dice.sample(self.items, self.dice.randint(1, 3))
        fields = self.dice.choice(
            [{}, {"type": "on-table", "table_number": "4"}, {"type": "delivery", "address": "x", "phone": "12345678"}]
        )
        lines = [line(item, self.dice.randint(1, 4)) for item in chosen]
        self.orders.append(await self.store.placed(*lines, at=at, **fields))

    async def move(self):
        await self.store.set_status(self.dice.choice(self.orders), self.dice.choice(STATUSES))

    async def pay(self):
        body = {"method": "cash"} | self.dice.choice([{}, {"amount": self.dice.randint(1, 8)}])
        await self.store.send("POST", f"/orders/{self.dice.choice(self.orders)}/payments", body)

    async def refund(self):
        body = {"amount": self.dice.randint(1, 6), "reason": "Cold."}
        await self.store.send("POST", f"/orders/{self.dice.choice(self.orders)}/refunds", body)

    async def hear(self):
        """Events of some orders come again, before or after their time."""
        told = self.dice.choices(self.orders, k=4)
        events = [StoredEvent(1, self.store.owner.id, None, "order.paid", {"order_id": id}, clock.now()) for id in told]
        await feed.follow(events)

    async def settle(self):
        await self.dispatch()

    async def fill(self):
        await self.store.fill()

    async def go_on(self):
        if len(self.orders) < 2:
            return await self.place()
        steps = [self.place, self.move, self.move, self.pay, self.pay, self.refund, self.hear, self.settle, self.fill]
        return await self.dice.choice(steps)()


@pytest.mark.parametrize("seed", range(6))
async def test_reports_equal_what_the_orders_add_up_to(client, owner, shop, dispatch, seed):
    store = type(shop)(client, owner, await owner.store(timezone="America/New_York"))
    items = [
        await store.item(name, price) for name, price in (("Soup", 7.5), ("Cake", 4.01), ("Tea", 0.99), ("Ice", 3))
    ]
    life = Life(store, items, random.Random(seed), dispatch)
    for _ in range(8):
        for _ in range(8):
            await life.go_on()
        report = await store.report(QUERY)
        assert {**report, "range": None} == {**await recomputed(store), "range": None}

    await dispatch()
    await store.fill()

    # Of the days alone, with nothing that is looked up beside them.
    assert await store.is_counted()
    kept = await sql.fetch_value("SELECT sum(kept_minor)::bigint FROM analytics_day WHERE store_id = $1", store.id)
    looked_up = """SELECT coalesce(sum(o.paid_minor - o.refunded_minor - a.kept_minor), 0)::bigint
        FROM core_order o JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
        WHERE o.store_id = $1 AND o.paid_minor > 0 AND (o.paid_at IS NULL OR o.paid_minor > o.total_minor)"""
    paid = "SELECT sum(paid_minor - refunded_minor)::bigint FROM core_order WHERE store_id = $1"
    assert kept + await sql.fetch_value(looked_up, store.id) == await sql.fetch_value(paid, store.id)
    assert {**await store.report(QUERY), "range": None} == {**await recomputed(store), "range": None}
