"""A restaurant with orders to report."""

from datetime import UTC, datetime

import pytest
from comanda.basics import clock
from comanda.contracts import Charge, StoredEvent
from comanda.devkit.testing import TestStore
from comanda.orders.bills.charges import add_charge_of
from comanda.platform.db import sql
from comanda_analytics.event_handlers import update_daily_totals
from comanda_analytics.services import backfill

NOON = datetime(2030, 5, 15, 12, 0, tzinfo=UTC)


class AnalyticsStore(TestStore):
    """A store whose orders can be placed at any time, paid and refunded."""

    async def report(self, query=""):
        """Return the owner's report."""
        return (await self.get(f"/analytics?{query}")).document

    async def place_order(self, *lines, at=None, **fields):
        """Place an order, at another time if one is given, and return its id."""
        order_id = (await self.order(*lines, **fields))["id"]
        if at is not None:
            await sql.execute(
                "UPDATE core_order SET created_at = $3 WHERE id = $1 AND owner_id = $2", order_id, self.owner.id, at
            )
        return order_id

    async def pay(self, order_id, amount=None):
        """Pay an order in cash, in full or an amount."""
        body = {"method": "cash"} if amount is None else {"method": "cash", "amount": amount}
        reply = await self.send("POST", f"/orders/{order_id}/payments", body)
        assert reply.status == 201, reply
        return reply.document

    async def refund(self, order_id, amount):
        """Refund an amount."""
        body = {"amount": amount, "reason": "The soup was cold."}
        reply = await self.send("POST", f"/orders/{order_id}/refunds", body)
        assert reply.status in {200, 201, 202}, reply
        return reply.document

    async def add_charge(self, order_id, amount_minor, code="late_fee"):
        """Add a charge to an order that is placed, as a plugin does."""
        charge = Charge(code, "Returned late", amount_minor)
        await add_charge_of(self.owner.id, self.id, order_id, charge, actor="plugin:rental", plugin="rental")

    async def handle_events(self, *orders, name="order.status_changed"):
        """Pass events of orders to the handler."""
        events = [StoredEvent(1, self.owner.id, self.id, name, {"order_id": id}, clock.now()) for id in orders]
        await update_daily_totals(events)

    async def backfill_orders(self):
        """Count all orders of the store."""
        await backfill.backfill_store(self.id, self.owner.id)

    async def get_report_totals(self):
        """Return the amount paid and the number of paid orders of the report."""
        report = await self.report()
        return report["revenue"]["paid"], report["orders"]["paid"]

    async def get_daily_totals(self):
        """Return the same from daily totals alone, without orders that are looked up."""
        statement = (
            "SELECT sum(kept_minor) AS kept, sum(paid_orders)::int AS paid FROM analytics_day WHERE store_id = $1"
        )
        row = await sql.fetch_one(statement, self.id)
        return int(row["kept"]) / 100, row["paid"]

    async def is_complete(self):
        """Check whether reports are made from daily totals."""
        statement = "SELECT is_complete FROM analytics_store WHERE store_id = $1 AND owner_id = $2"
        return bool(await sql.fetch_value(statement, self.id, self.owner.id))


@pytest.fixture
def noon(clock):
    clock.set(NOON)
    return NOON


@pytest.fixture
async def shop(client, owner, noon):
    store = AnalyticsStore(client, owner, await owner.store())
    store.soup = await store.item("Soup", 10)
    store.cake = await store.item("Cake", 4)
    return store


DAYS = """
    SELECT day::text, type, status, orders, paid_orders, total_minor, kept_minor FROM analytics_day
    WHERE store_id = $1 AND orders <> 0 ORDER BY 1, 2, 3
"""
ITEMS = "SELECT item_id, quantity FROM analytics_item_day WHERE store_id = $1 AND quantity <> 0 ORDER BY item_id"


@pytest.fixture
def days(shop):
    """Return a function that lists the daily totals."""

    async def read():
        return [tuple(row) for row in await sql.fetch(DAYS, shop.id)]

    return read


@pytest.fixture
def items(shop):
    """Return a function that lists the quantities of items."""

    async def read():
        return {row["item_id"]: row["quantity"] for row in await sql.fetch(ITEMS, shop.id)}

    return read


@pytest.fixture
def delete_events(owner):
    """Return a function that deletes the pending events of the owner."""

    async def delete():
        await sql.execute("DELETE FROM core_outbox WHERE owner_id = $1", owner.id)

    return delete


@pytest.fixture(params=["orders", "days"])
def prepare_totals(shop, request, dispatch):
    """Return a function after which reports are made from orders, or from daily totals."""

    async def prepare():
        if request.param == "days":
            await shop.backfill_orders()
            await dispatch()
        assert await shop.is_complete() == (request.param == "days")

    return prepare
