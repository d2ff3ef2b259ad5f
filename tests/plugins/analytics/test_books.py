"""What a report says was paid equals what the books of payments say, at every moment and after every repair."""

import random

import pytest
from comanda.contracts.payments import ProviderOutcome, ProviderState
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_analytics import checking, filling
from comanda_payments import hosted

PAYMENTS = """
    SELECT order_id, amount_minor, finished_at AS at FROM payments_payment
    WHERE store_id = $1 AND status = 'succeeded'
"""
REFUNDS = """
    SELECT order_id, -amount_minor AS amount_minor, completed_at AS at FROM payments_refund
    WHERE store_id = $1 AND status = 'completed'
"""
PENDING = """
    INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, actor, created_at,
        check_at)
    VALUES ($1, $2, $3, 'gateway', 'pending', $4, 'guest:1', $5, $5) RETURNING id
"""
STATUSES = ["preparing", "ready", "completed", "cancelled", "new"]


async def from_books(store):
    """Work out what was kept, and how many orders were covered at some moment, from payments and refunds alone."""
    entries = [*await sql.fetch(PAYMENTS, store.id), *await sql.fetch(REFUNDS, store.id)]
    totals = {row["id"]: row["total_minor"] for row in await sql.fetch(
        "SELECT id, total_minor FROM core_order WHERE store_id = $1", store.id)}  # fmt: skip
    kept, covered = dict.fromkeys(totals, 0), set()
    for entry in sorted(entries, key=lambda entry: entry["at"]):
        order_id = entry["order_id"]
        kept[order_id] += entry["amount_minor"]
        if kept[order_id] >= totals[order_id]:
            covered.add(order_id)
    return sum(kept.values()) / 100, len(covered)


async def from_report(store):
    report = await store.report()
    return report["revenue"]["paid"], report["orders"]["paid"]


async def from_days(store):
    """Read the days alone, with nothing that is looked up beside them."""
    row = await sql.fetch_one(
        "SELECT sum(kept_minor) AS kept, sum(paid_orders)::int AS paid FROM analytics_day WHERE store_id = $1", store.id
    )
    return int(row["kept"]) / 100, row["paid"]


class Till:
    """Takes and returns money at random, a second apart, so that the books tell in which order."""

    def __init__(self, shop, dice, clock):
        self.shop, self.dice, self.clock = shop, dice, clock
        self.orders = []

    async def place(self):
        self.orders.append(await self.shop.placed(line(self.dice.choice([self.shop.soup, self.shop.cake]))))

    async def pay(self):
        amount = self.dice.choice([None, self.dice.randint(1, 999) / 100, self.dice.randint(1, 300) / 100])
        body = {"method": "cash"} | ({} if amount is None else {"amount": amount})
        await self.shop.send("POST", f"/orders/{self.dice.choice(self.orders)}/payments", body)

    async def refund(self):
        amount = self.dice.choice([None, self.dice.randint(1, 500) / 100])
        body = {"reason": "Cold."} | ({} if amount is None else {"amount": amount})
        await self.shop.send("POST", f"/orders/{self.dice.choice(self.orders)}/refunds", body)

    async def collect_online(self):
        """A provider collects money, wanted or not, paid already or cancelled."""
        of = (self.shop.owner.id, self.shop.id, self.dice.choice(self.orders), self.dice.randint(1, 600), self.clock())
        payment_id = await sql.fetch_value(PENDING, *of)
        await hosted.conclude(self.shop.owner.id, payment_id, ProviderOutcome(ProviderState.SUCCEEDED, "pi_1"))

    async def move(self):
        await self.shop.set_status(self.dice.choice(self.orders), self.dice.choice(STATUSES))

    async def hear(self):
        await self.shop.hear(*self.dice.choices(self.orders, k=2))

    async def step(self):
        self.clock.advance(seconds=1)
        if len(self.orders) < 3:
            return await self.place()
        steps = [self.pay, self.pay, self.pay, self.refund, self.refund, self.collect_online, self.move, self.hear]
        return await self.dice.choice([*steps, self.shop.fill, self.place])()


@pytest.mark.parametrize("seed", range(8))
async def test_reports_equal_the_books_after_every_step(shop, clock, dispatch, seed):
    dice = random.Random(seed)
    till = Till(shop, dice, clock)
    for _ in range(60):
        await till.step()
        if dice.random() < 0.1:
            await dispatch()
        assert await from_report(shop) == await from_books(shop)

    await dispatch()
    await shop.fill()
    assert await shop.is_counted()
    await checking.check()
    assert await from_days(shop) == await from_report(shop) == await from_books(shop)

    await filling.rebuild(shop.id)
    assert await from_days(shop) == await from_report(shop) == await from_books(shop)


async def test_a_payment_after_a_refund_is_counted_at_once(shop, dispatch):
    order = await shop.placed(line(shop.soup))
    await shop.fill()

    for act, amount, kept in ((shop.pay, 4, 4), (shop.refund, 1, 3), (shop.pay, 2, 5)):
        await act(order, amount)
        await dispatch()
        assert await from_report(shop) == (kept, 0)


async def test_an_order_whose_total_was_never_covered_is_not_paid(shop, dispatch):
    order = await shop.placed(line(await shop.item("Pizza", 16.9)))
    await shop.fill()

    await shop.pay(order, 16.89)
    await shop.refund(order, 16.89)
    await shop.pay(order, 0.05)
    await shop.refund(order, 0.05)
    await dispatch()

    assert (await shop.get(f"/orders/{order}"))["is_paid"] is False
    assert await from_report(shop) == (0, 0)


async def test_money_that_comes_after_an_order_was_paid_is_counted_at_once(shop, clock, dispatch):
    order = await shop.placed(line(shop.soup))
    await shop.fill()
    await shop.pay(order)
    await dispatch()

    of = (shop.owner.id, shop.id, order, 300, clock())
    await hosted.conclude(
        shop.owner.id, await sql.fetch_value(PENDING, *of), ProviderOutcome(ProviderState.SUCCEEDED, "pi_1")
    )

    assert await from_report(shop) == await from_books(shop) == (13, 1)


async def test_the_check_finds_orders_that_count_as_paid_and_are_not(shop, dispatch):
    order = await shop.placed(line(shop.soup))
    await shop.pay(order)
    await dispatch()
    await shop.fill()
    await sql.execute("UPDATE analytics_day SET paid_orders = 0 WHERE store_id = $1", shop.id)
    assert await from_report(shop) == (10, 0)

    await checking.check()

    assert await from_report(shop) == await from_days(shop) == (10, 1)


async def test_the_check_leaves_days_alone_that_are_right(shop, dispatch, monkeypatch):
    covered, begun, reopened = [await shop.placed(line(shop.soup)) for _ in range(3)]
    await dispatch()
    await shop.fill()
    rebuilt = []

    async def rebuild(store_id):
        rebuilt.append(store_id)

    monkeypatch.setattr(filling, "rebuild", rebuild)
    await shop.pay(covered)
    await shop.pay(begun, 4)
    await shop.pay(reopened, 4)
    await shop.refund(reopened, 4)
    await shop.pay(reopened, 2)
    await dispatch()

    await checking.check()

    assert shop.id not in rebuilt
    assert await from_days(shop) == (16, 1)


async def test_orders_of_any_size_break_neither_the_report_nor_the_handler(shop, dispatch):
    """Two such orders exceed what a column of eight bytes holds; they are from before totals had a limit."""
    orders = [await shop.placed(line(shop.soup)) for _ in range(3)]
    huge = 9 * 10**18
    statement = "UPDATE core_order SET total_minor = $2, paid_minor = $2, paid_at = now() WHERE id = ANY($1::bigint[])"
    await sql.execute(statement, orders, huge)
    assert (await from_report(shop))[1] == 3

    await dispatch()
    await shop.fill()
    await checking.check()

    assert await shop.is_counted()
    report = await shop.report("by_day=true")
    assert report["revenue"] == {"gross": 27e16, "paid": 27e16, "avg_order_value": 9e16}
    assert (
        int(await sql.fetch_value("SELECT sum(kept_minor) FROM analytics_day WHERE store_id = $1", shop.id)) == 3 * huge
    )
