"""The figures of a reseller."""

from datetime import UTC, datetime

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import process_queue
from comanda_reseller.models import Interval
from comanda_reseller.services.resellers.stats import compute_recurring_revenue
from comanda_reseller.services.subscriptions.renewals import QUEUE
from reselling import Reseller

START = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)


@pytest.fixture
async def reseller(client, owner, clock):
    clock.set(START)
    reseller = await Reseller.create(client, owner)
    for plan in (
        {"code": "month", "name": "M", "price": 30},
        {"code": "year", "name": "Y", "price": 100, "interval": "year"},
        {"code": "trial", "name": "T", "price": 10, "trial_days": 14},
    ):
        await reseller.send("POST", "/reseller/plans", plan)
    return reseller


async def subscribe(reseller, plan, balance_minor=100_000):
    customer = await reseller.customer(balance_minor)
    status, made = await reseller.send(
        "POST", "/reseller/subscriptions", {"customer_id": customer.id, "plan_code": plan}
    )
    assert status == 201, made
    return made


async def test_new_reseller_has_zeros(reseller):
    assert await reseller.get("/reseller/stats") == {
        "customers": 0, "active": 0, "suspended": 0, "trialing": 0, "past_due": 0, "mrr": 0, "arr": 0,
        "currency": "EUR", "churn_30d": 0, "churn_rate_30d": 0, "new_30d": 0,
    }  # fmt: skip


async def test_figures_follow_subscriptions(reseller, clock):
    leaving, _, _, _ = [await subscribe(reseller, plan) for plan in ("month", "month", "year", "trial")]
    poor = await subscribe(reseller, "month", 3000)
    await reseller.customer()
    before = await reseller.get("/reseller/stats")
    clock.advance(days=10)
    await reseller.send("POST", f"/reseller/subscriptions/{leaving['id']}/cancel", {"now": True})
    clock.advance(days=25)
    await process_queue(QUEUE)
    await administration.set_suspended(reseller.customers[1].email, is_suspended=True)

    after = await reseller.get("/reseller/stats")

    assert {name: before[name] for name in ("customers", "active", "trialing", "mrr", "arr", "new_30d")} == {
        "customers": 6, "active": 4, "trialing": 1, "mrr": 98.33, "arr": 1180, "new_30d": 4
    }  # fmt: skip
    assert poor["status"] == "active"
    assert after == {
        "customers": 6, "active": 3, "suspended": 1, "trialing": 0, "past_due": 1, "mrr": 78.33, "arr": 940,
        "currency": "EUR", "churn_30d": 1, "churn_rate_30d": 25, "new_30d": 1,
    }  # fmt: skip


def test_recurring_revenue_is_rounded_once():
    prices = {Interval.MONTH: 1000, Interval.YEAR: 10_001, Interval.DAYS_30: 3000}

    # 1000 + 10001 / 12 + 3000 * 487 / 480 = 4877.1666…
    assert compute_recurring_revenue(prices) == (4877, 58_526)
    assert compute_recurring_revenue({}) == (0, 0)
