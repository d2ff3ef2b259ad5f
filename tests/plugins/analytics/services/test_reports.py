"""Sales reports, from daily totals and from orders alike."""

import random
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from comanda.basics import Conflict, clock
from comanda.contracts import StoredEvent
from comanda.devkit.testing import line
from comanda.orders import HAS_LATE_CHARGES
from comanda.platform.db import sql
from comanda_analytics.event_handlers import update_daily_totals

FIRST, LAST = date(2030, 5, 1), date(2030, 5, 15)
QUERY = f"from={FIRST}&to={LAST}&by_day=true"
SELECT_ORDERS = """
    SELECT (created_at AT TIME ZONE 'America/New_York')::date AS day, type, status, total_minor,
        paid_minor - refunded_minor AS kept_minor,
        paid_at IS NOT NULL AS is_paid, service_charge_minor, delivery_fee_minor, charges_minor
    FROM core_order WHERE store_id = $1
"""
SELECT_QUANTITIES = """
    SELECT l.item_id, max(l.name) AS name, sum(l.quantity)::int AS quantity
    FROM core_order o JOIN core_order_line l ON l.order_id = o.id AND l.owner_id = o.owner_id
    WHERE o.store_id = $1 AND o.status <> 'cancelled'
        AND (o.created_at AT TIME ZONE 'America/New_York')::date BETWEEN $2 AND $3
    GROUP BY l.item_id ORDER BY quantity DESC, name LIMIT 10
"""
STATUSES = ["new", "preparing", "ready", "delivered", "completed", "cancelled", "cancelled"]


def compute_charges(orders):
    """Compute the charges of orders that are not cancelled."""
    columns = {"service_charge": "service_charge_minor", "delivery_fee": "delivery_fee_minor", "other": "charges_minor"}
    return {name: sum(row[column] for row in orders) / 100 for name, column in columns.items()}


async def compute_report(store):
    """Compute the report from the orders, one by one."""
    orders = [row for row in await sql.fetch(SELECT_ORDERS, store.id) if FIRST <= row["day"] <= LAST]
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
        "charges": compute_charges(standing),
        "top_items": [dict(row) for row in await sql.fetch(SELECT_QUANTITIES, store.id, FIRST, LAST)],
        "by_day": [
            {
                "date": str(day),
                "orders": sum(row["day"] == day for row in orders),
                "paid_orders": sum(row["day"] == day and row["is_paid"] for row in orders),
                "gross": sum(row["total_minor"] for row in standing if row["day"] == day) / 100,
                "paid": sum(row["kept_minor"] for row in orders if row["day"] == day) / 100,
                "charges": compute_charges([row for row in standing if row["day"] == day]),
            }
            for day in (FIRST + timedelta(days=number) for number in range(15))
        ],
    }


class RandomStore:
    """A store in which random things happen."""

    def __init__(self, store, items, dice, dispatch):
        self.store, self.items, self.dice, self.dispatch = store, items, dice, dispatch
        self.orders = []
        self.charges = 0

    async def place(self):
        at = datetime(2030, 4, 29, tzinfo=UTC) + timedelta(minutes=self.dice.randrange(18 * 24 * 60))
        chosen = self.dice.sample(self.items, self.dice.randint(1, 3))
        fields = self.dice.choice(
            [{}, {"type": "on-table", "table_number": "4"}, {"type": "delivery", "address": "x", "phone": "12345678"}]
        )
        lines = [line(item, self.dice.randint(1, 4)) for item in chosen]
        self.orders.append(await self.store.place_order(*lines, at=at, **fields))

    async def move(self):
        await self.store.set_status(self.dice.choice(self.orders), self.dice.choice(STATUSES))

    async def pay(self):
        body = {"method": "cash"} | self.dice.choice([{}, {"amount": self.dice.randint(1, 8)}])
        await self.store.send("POST", f"/orders/{self.dice.choice(self.orders)}/payments", body)

    async def refund(self):
        body = {"amount": self.dice.randint(1, 6), "reason": "Cold."}
        await self.store.send("POST", f"/orders/{self.dice.choice(self.orders)}/refunds", body)

    async def add_charge(self):
        """Add a charge, which a cancelled order refuses."""
        self.charges += 1
        with suppress(Conflict):
            await self.store.add_charge(
                self.dice.choice(self.orders), self.dice.randint(1, 500), code=f"fee_{self.charges}"
            )

    async def handle_events(self):
        """Repeat events of some orders, early or late."""
        order_ids = self.dice.choices(self.orders, k=4)
        events = [
            StoredEvent(1, self.store.owner.id, None, "order.paid", {"order_id": id}, clock.now()) for id in order_ids
        ]
        await update_daily_totals(events)

    async def settle(self):
        await self.dispatch()

    async def fill(self):
        await self.store.backfill_orders()

    async def go_on(self):
        if len(self.orders) < 2:
            return await self.place()
        steps = [
            self.place,
            self.move,
            self.move,
            self.pay,
            self.pay,
            self.refund,
            self.add_charge,
            self.handle_events,
            self.settle,
            self.fill,
        ]
        return await self.dice.choice(steps)()


async def test_store_without_orders_has_zeros(shop):
    report = await shop.report()

    assert report == {
        "range": {"from": "2030-04-16", "to": "2030-05-15"},
        "orders": {
            "total": 0,
            "paid": 0,
            "by_status": dict.fromkeys(("new", "preparing", "ready", "delivered", "completed", "cancelled"), 0),
            "by_type": dict.fromkeys(("on-table", "takeaway", "delivery", "room_service"), 0),
        },
        "revenue": {"gross": 0, "paid": 0, "avg_order_value": 0},
        "charges": {"service_charge": 0, "delivery_fee": 0, "other": 0},
        "top_items": [],
    }


async def test_cancelled_orders_count_in_total_and_status_only(shop, prepare_totals):
    kept = await shop.place_order(line(shop.soup, 2), line(shop.cake))
    dropped = await shop.place_order(line(shop.soup, 9), type="on-table", table_number="4")
    await shop.set_status(kept, "ready")
    await shop.set_status(dropped, "cancelled")
    await prepare_totals()

    report = await shop.report()

    assert report["orders"]["total"] == 2
    assert {name: count for name, count in report["orders"]["by_status"].items() if count} == {
        "ready": 1,
        "cancelled": 1,
    }
    assert {name: count for name, count in report["orders"]["by_type"].items() if count} == {
        "takeaway": 1,
        "on-table": 1,
    }
    assert report["revenue"] == {"gross": 24, "paid": 0, "avg_order_value": 24}
    assert report["top_items"] == [
        {"item_id": shop.soup["id"], "name": "Soup", "quantity": 2},
        {"item_id": shop.cake["id"], "name": "Cake", "quantity": 1},
    ]


async def test_paid_is_payments_less_refunds(shop, prepare_totals):
    whole, part, back, _ = [await shop.place_order(line(shop.soup, 3)) for _ in range(4)]
    await shop.pay(whole)
    await prepare_totals()
    await shop.pay(part, 12.5)
    await shop.pay(back)
    await shop.refund(back, 7.25)

    report = await shop.report()

    assert report["orders"]["paid"] == 2
    assert report["revenue"] == {"gross": 120, "paid": 30 + 12.5 + 22.75, "avg_order_value": 30}


async def test_cancelled_order_counts_as_paid_until_refunded(shop, prepare_totals):
    order_id = await shop.place_order(line(shop.soup))
    await shop.pay(order_id)
    await shop.set_status(order_id, "cancelled")
    await prepare_totals()
    assert (await shop.report())["revenue"] == {"gross": 0, "paid": 10, "avg_order_value": 0}

    await shop.refund(order_id, 10)

    assert (await shop.report())["revenue"] == {"gross": 0, "paid": 0, "avg_order_value": 0}


async def test_average_is_rounded_half_up(shop, prepare_totals):
    for item in (shop.soup, shop.soup, shop.cake):
        await shop.place_order(line(item))
    await prepare_totals()

    assert (await shop.report())["revenue"]["avg_order_value"] == 8
    await shop.place_order(line(await shop.item("Bread", 0.01)))
    # 24.01 / 4 = 6.0025
    assert (await shop.report())["revenue"]["avg_order_value"] == 6


async def test_top_items_are_ten_by_quantity_and_name(shop, prepare_totals):
    names = ["Leek", "Kale", "Apple", "Fig", "Egg", "Date", "Bean", "Corn", "Hazel", "Grape", "Ink", "Juice"]
    items = {name: await shop.item(name, 1) for name in names}
    await shop.place_order(line(items["Leek"], 2), *[line(items[name]) for name in names if name != "Leek"])
    await prepare_totals()

    top = (await shop.report())["top_items"]

    assert [item["name"] for item in top] == ["Leek", *sorted(names)[:9]]
    assert [item["quantity"] for item in top] == [2] + [1] * 9


async def test_items_have_current_or_last_name(shop, prepare_totals):
    await shop.place_order(line(shop.soup, 3), line(shop.cake, 2))
    await prepare_totals()
    renamed = await shop.send("PUT", f"/menu/items/{shop.soup['id']}", {"name": "Broth"})
    gone = await shop.send("DELETE", f"/menu/items/{shop.cake['id']}")
    assert (renamed.status, gone.status) == (200, 204)

    assert [item["name"] for item in (await shop.report())["top_items"]] == ["Broth", "Cake"]


async def test_by_day_lists_every_day(shop, prepare_totals, noon):
    paid = await shop.place_order(line(shop.soup), at=noon - timedelta(days=2))
    await shop.place_order(line(shop.cake), at=noon)
    await shop.pay(paid)
    await prepare_totals()

    report = await shop.report("from=2030-05-13&by_day=true")

    none = {"service_charge": 0, "delivery_fee": 0, "other": 0}
    assert report["by_day"] == [
        {"date": "2030-05-13", "orders": 1, "paid_orders": 1, "gross": 10, "paid": 10, "charges": none},
        {"date": "2030-05-14", "orders": 0, "paid_orders": 0, "gross": 0, "paid": 0, "charges": none},
        {"date": "2030-05-15", "orders": 1, "paid_orders": 0, "gross": 4, "paid": 0, "charges": none},
    ]
    assert "compare" not in report


async def test_compare_adds_preceding_period(shop, prepare_totals, noon):
    await shop.place_order(line(shop.soup), at=noon)
    for days in (3, 5, 6):
        await shop.place_order(line(shop.cake), at=noon - timedelta(days=days))
    await prepare_totals()

    report = await shop.report("from=2030-05-13&to=2030-05-15&compare=true")

    assert report["orders"]["total"] == 1
    assert report["compare"]["range"] == {"from": "2030-05-10", "to": "2030-05-12"}
    assert report["compare"]["orders"]["total"] == 2
    assert report["compare"]["revenue"]["gross"] == 8
    assert "by_day" not in report


async def test_amounts_have_decimals_of_currency(client, owner, shop):
    kyoto = type(shop)(client, owner, await owner.store(currency="JPY"))
    await kyoto.place_order(line(await kyoto.item("Soup", 900)), line(await kyoto.item("Cake", 401)))

    assert (await kyoto.report())["revenue"] == {"gross": 1301, "paid": 0, "avg_order_value": 1301}


async def test_types_are_those_of_vertical(client, owner, shop):
    boutique = type(shop)(client, owner, await owner.store("retail"))

    assert "takeaway" not in (await boutique.report())["orders"]["by_type"]
    assert len((await boutique.report())["orders"]["by_type"]) > 0


async def test_report_writes_nothing(shop):
    await shop.place_order(line(shop.soup))

    await shop.report("by_day=true&compare=true")

    assert await sql.fetch_value("SELECT count(*) FROM analytics_order WHERE owner_id = $1", shop.owner.id) == 0


@pytest.mark.parametrize("seed", range(6))
async def test_reports_equal_sums_of_orders(client, owner, shop, dispatch, seed):
    store = type(shop)(client, owner, await owner.store(timezone="America/New_York"))
    items = [
        await store.item(name, price) for name, price in (("Soup", 7.5), ("Cake", 4.01), ("Tea", 0.99), ("Ice", 3))
    ]
    await store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["on-table", "takeaway"]})
    life = RandomStore(store, items, random.Random(seed), dispatch)
    for _ in range(8):
        for _ in range(8):
            await life.go_on()
        report = await store.report(QUERY)
        assert {**report, "range": None} == {**await compute_report(store), "range": None}

    await dispatch()
    await store.backfill_orders()

    # From daily totals alone, plus the orders that are looked up.
    assert await store.is_complete()
    kept = await sql.fetch_value("SELECT sum(kept_minor)::bigint FROM analytics_day WHERE store_id = $1", store.id)
    looked_up = f"""SELECT coalesce(sum(o.paid_minor - o.refunded_minor - a.kept_minor), 0)::bigint
        FROM core_order o JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
        WHERE o.store_id = $1
            AND (o.paid_minor > 0 AND (o.paid_at IS NULL OR o.paid_minor > o.total_minor) OR {HAS_LATE_CHARGES})"""
    paid = "SELECT sum(paid_minor - refunded_minor)::bigint FROM core_order WHERE store_id = $1"
    assert kept + await sql.fetch_value(looked_up, store.id) == await sql.fetch_value(paid, store.id)
    assert {**await store.report(QUERY), "range": None} == {**await compute_report(store), "range": None}
