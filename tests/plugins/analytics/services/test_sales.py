"""Reports equal what payments and refunds add up to, at any moment."""

import random

import pytest
from comanda.contracts import ProviderOutcome, ProviderState
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_analytics.services import backfill, consistency_check
from comanda_payments.services.providers import hosted_payments

SELECT_PAYMENTS = """
    SELECT order_id, amount_minor, finished_at AS at FROM payments_payment
    WHERE store_id = $1 AND status = 'succeeded'
"""
SELECT_REFUNDS = """
    SELECT order_id, -amount_minor AS amount_minor, completed_at AS at FROM payments_refund
    WHERE store_id = $1 AND status = 'completed'
"""
INSERT_PENDING_PAYMENT = """
    INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, actor, created_at,
        check_at)
    VALUES ($1, $2, $3, 'gateway', 'pending', $4, 'guest:1', $5, $5) RETURNING id
"""
STATUSES = ["preparing", "ready", "completed", "cancelled", "new"]


async def compute_from_payments(store):
    """Compute the amount kept, and the number of orders ever paid in full, from payments and refunds alone."""
    entries = [*await sql.fetch(SELECT_PAYMENTS, store.id), *await sql.fetch(SELECT_REFUNDS, store.id)]
    totals = {row["id"]: row["total_minor"] for row in await sql.fetch(
        "SELECT id, total_minor FROM core_order WHERE store_id = $1", store.id)}  # fmt: skip
    kept, covered = dict.fromkeys(totals, 0), set()
    for entry in sorted(entries, key=lambda entry: entry["at"]):
        order_id = entry["order_id"]
        kept[order_id] += entry["amount_minor"]
        if kept[order_id] >= totals[order_id]:
            covered.add(order_id)
    return sum(kept.values()) / 100, len(covered)


class RandomTill:
    """Takes and refunds payments at random, a second apart, so that their order is known."""

    def __init__(self, shop, dice, clock):
        self.shop, self.dice, self.clock = shop, dice, clock
        self.orders = []

    async def place(self):
        self.orders.append(await self.shop.place_order(line(self.dice.choice([self.shop.soup, self.shop.cake]))))

    async def pay(self):
        amount = self.dice.choice([None, self.dice.randint(1, 999) / 100, self.dice.randint(1, 300) / 100])
        body = {"method": "cash"} | ({} if amount is None else {"amount": amount})
        await self.shop.send("POST", f"/orders/{self.dice.choice(self.orders)}/payments", body)

    async def refund(self):
        amount = self.dice.choice([None, self.dice.randint(1, 500) / 100])
        body = {"reason": "Cold."} | ({} if amount is None else {"amount": amount})
        await self.shop.send("POST", f"/orders/{self.dice.choice(self.orders)}/refunds", body)

    async def collect_online(self):
        """Collect money through a provider, even for a paid or cancelled order."""
        of = (self.shop.owner.id, self.shop.id, self.dice.choice(self.orders), self.dice.randint(1, 600), self.clock())
        payment_id = await sql.fetch_value(INSERT_PENDING_PAYMENT, *of)
        await hosted_payments.record_outcome(
            self.shop.owner.id, payment_id, ProviderOutcome(ProviderState.SUCCEEDED, "pi_1")
        )

    async def move(self):
        await self.shop.set_status(self.dice.choice(self.orders), self.dice.choice(STATUSES))

    async def handle_events(self):
        await self.shop.handle_events(*self.dice.choices(self.orders, k=2))

    async def step(self):
        self.clock.advance(seconds=1)
        if len(self.orders) < 3:
            return await self.place()
        steps = [
            self.pay,
            self.pay,
            self.pay,
            self.refund,
            self.refund,
            self.collect_online,
            self.move,
            self.handle_events,
        ]
        return await self.dice.choice([*steps, self.shop.backfill_orders, self.place])()


@pytest.mark.parametrize("seed", range(8))
async def test_reports_equal_payments_after_every_step(shop, clock, dispatch, seed):
    dice = random.Random(seed)
    till = RandomTill(shop, dice, clock)
    for _ in range(60):
        await till.step()
        if dice.random() < 0.1:
            await dispatch()
        assert await shop.get_report_totals() == await compute_from_payments(shop)

    await dispatch()
    await shop.backfill_orders()
    assert await shop.is_complete()
    await consistency_check.check_totals()
    assert await shop.get_daily_totals() == await shop.get_report_totals() == await compute_from_payments(shop)

    await backfill.rebuild_totals(shop.id)
    assert await shop.get_daily_totals() == await shop.get_report_totals() == await compute_from_payments(shop)


async def test_payment_after_refund_is_counted_at_once(shop, dispatch):
    order = await shop.place_order(line(shop.soup))
    await shop.backfill_orders()

    for act, amount, kept in ((shop.pay, 4, 4), (shop.refund, 1, 3), (shop.pay, 2, 5)):
        await act(order, amount)
        await dispatch()
        assert await shop.get_report_totals() == (kept, 0)


async def test_order_never_paid_in_full_is_not_paid(shop, dispatch):
    order = await shop.place_order(line(await shop.item("Pizza", 16.9)))
    await shop.backfill_orders()

    await shop.pay(order, 16.89)
    await shop.refund(order, 16.89)
    await shop.pay(order, 0.05)
    await shop.refund(order, 0.05)
    await dispatch()

    assert (await shop.get(f"/orders/{order}"))["is_paid"] is False
    assert await shop.get_report_totals() == (0, 0)


async def test_overpayment_is_counted_at_once(shop, clock, dispatch):
    order = await shop.place_order(line(shop.soup))
    await shop.backfill_orders()
    await shop.pay(order)
    await dispatch()

    of = (shop.owner.id, shop.id, order, 300, clock())
    await hosted_payments.record_outcome(
        shop.owner.id,
        await sql.fetch_value(INSERT_PENDING_PAYMENT, *of),
        ProviderOutcome(ProviderState.SUCCEEDED, "pi_1"),
    )

    assert await shop.get_report_totals() == await compute_from_payments(shop) == (13, 1)


async def test_totals_do_not_overflow(shop, dispatch):
    """Two such orders exceed a bigint; they predate the limit on totals."""
    orders = [await shop.place_order(line(shop.soup)) for _ in range(3)]
    huge = 9 * 10**18
    statement = "UPDATE core_order SET total_minor = $2, paid_minor = $2, paid_at = now() WHERE id = ANY($1::bigint[])"
    await sql.execute(statement, orders, huge)
    assert (await shop.get_report_totals())[1] == 3

    await dispatch()
    await shop.backfill_orders()
    await consistency_check.check_totals()

    assert await shop.is_complete()
    report = await shop.report("by_day=true")
    assert report["revenue"] == {"gross": 27e16, "paid": 27e16, "avg_order_value": 9e16}
    assert (
        int(await sql.fetch_value("SELECT sum(kept_minor) FROM analytics_day WHERE store_id = $1", shop.id)) == 3 * huge
    )


async def test_report_is_correct_before_and_after_dispatch(shop, dispatch):
    await shop.backfill_orders()
    one, two = await shop.place_order(line(shop.soup)), await shop.place_order(line(shop.cake))
    await dispatch()
    await shop.backfill_orders()
    await shop.set_status(one, "cancelled")
    await shop.pay(two)
    await shop.place_order(line(shop.cake, 2), type="on-table", table_number="1")

    before = await shop.report("by_day=true&compare=true")
    await dispatch()

    assert await shop.is_complete()
    assert before["orders"]["total"] == 3
    assert before["top_items"] == [{"item_id": shop.cake["id"], "name": "Cake", "quantity": 3}]
    assert await shop.report("by_day=true&compare=true") == before
