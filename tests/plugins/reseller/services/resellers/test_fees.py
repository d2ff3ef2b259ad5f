"""What resellers owe the platform."""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_reseller.models import Account, Subscription
from comanda_reseller.services.resellers import fees
from comanda_reseller.services.subscriptions import renewals
from comanda_reseller.settings import DEFAULT_TIERS
from comanda_wallet import api as wallet
from reselling import Reseller

START = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)
PLAN = {"code": "basic", "name": "Basic", "price": 30}


@pytest.fixture
async def reseller(client, owner, clock):
    clock.set(START)
    reseller = await Reseller.create(client, owner)
    for plan in (PLAN, {**PLAN, "code": "trial", "trial_days": 60}):
        status, document = await reseller.send("POST", "/reseller/plans", plan)
        assert status == 201, document
    return reseller


async def subscribe(reseller, plan="basic"):
    customer = await reseller.customer(100_000)
    body = {"customer_id": customer.id, "plan_code": plan}
    status, subscription = await reseller.send("POST", "/reseller/subscriptions", body)
    assert status == 201, subscription
    return subscription


async def run_queues():
    while await process_queue(renewals.QUEUE) + await process_queue(fees.QUEUE):
        pass


async def list_fees(reseller):
    return sorted((await reseller.get("/reseller/invoices"))["data"], key=lambda each: each["id"])


async def test_each_month_bills_what_runs_at_its_end(reseller, clock):
    await wallet.top_up(reseller.id, 10_000, "test")
    paused, _, _ = [await subscribe(reseller) for _ in range(3)]
    await subscribe(reseller, "trial")
    clock.advance(days=28, minutes=1)
    await run_queues()
    await reseller.send("POST", f"/reseller/subscriptions/{paused['id']}/pause")
    clock.advance(days=31)
    await run_queues()

    first, second = await list_fees(reseller)

    assert (first["number"][:4], first["status"], first["total"]) == ("COM-", "paid", 6)
    assert first["lines"][0]["description"] == "3 subscriptions at 2 EUR"
    assert (first["period"]["start"][:10], first["period"]["end"][:10]) == ("2030-01-31", "2030-02-28")
    assert (second["period"]["end"][:10], second["total"]) == ("2030-03-31", 4)
    assert (await wallet.get_wallet(reseller.id)).balance_minor == 10_000 - 600 - 400


async def test_late_run_bills_every_month_as_it_was(reseller, clock):
    await wallet.top_up(reseller.id, 10_000, "test")
    await subscribe(reseller)
    clock.advance(days=119)

    await run_queues()
    await run_queues()

    assert [(each["period"]["end"][:10], each["total"]) for each in await list_fees(reseller)] == [
        ("2030-02-28", 2),
        ("2030-03-31", 2),
        ("2030-04-30", 2),
    ]


async def test_fee_waits_for_steps_of_subscriptions(reseller, clock):
    await subscribe(reseller)
    # The month of the fee ends just after that of the subscription.
    await Account.filter(owner_id=reseller.id).update(fee_period_end=clock() + timedelta(days=28, seconds=1))
    clock.advance(days=28, minutes=1)

    assert await fees.bill_account(reseller.id, clock()) is False
    assert await list_fees(reseller) == []

    await process_queue(renewals.QUEUE)
    assert await fees.bill_account(reseller.id, clock()) is True
    assert len(await list_fees(reseller)) == 1


async def test_fee_does_not_wait_for_a_step_that_keeps_failing(reseller, clock):
    await subscribe(reseller)
    await Account.filter(owner_id=reseller.id).update(fee_period_end=clock() + timedelta(days=28, seconds=1))
    await Subscription.filter(owner_id=reseller.id).update(attempts=10)
    clock.advance(days=28, minutes=1)

    assert await fees.bill_account(reseller.id, clock()) is True
    assert len(await list_fees(reseller)) == 1


async def test_parallel_billing_issues_one_invoice(reseller, clock):
    await subscribe(reseller)
    clock.advance(days=28, minutes=1)
    await process_queue(renewals.QUEUE)

    await asyncio.gather(*(fees.bill_account(reseller.id, clock()) for _ in range(6)))

    assert len(await list_fees(reseller)) == 1
    rows = await sql.fetch("SELECT sequence FROM reseller_invoice WHERE issuer = 'platform' ORDER BY sequence")
    assert [row["sequence"] for row in rows] == list(range(1, len(rows) + 1))


async def test_month_without_subscriptions_has_no_invoice(reseller, clock):
    clock.advance(days=95)

    await run_queues()

    assert await list_fees(reseller) == []
    account = await Account.get(owner_id=reseller.id)
    assert (account.fee_period_start.date().isoformat(), account.fee_period_end.date().isoformat()) == (
        "2030-04-30", "2030-05-31"
    )  # fmt: skip


async def test_reseller_pays_later_from_its_wallet(reseller, clock):
    await subscribe(reseller)
    clock.advance(days=28, minutes=1)
    await run_queues()
    (owed,) = await list_fees(reseller)
    path = f"/reseller/invoices/{owed['id']}/pay"

    refused, document = await reseller.send("POST", path)
    await wallet.top_up(reseller.id, 1000, "later")
    status, paid = await reseller.send("POST", path)

    assert (owed["status"], refused, document["code"]) == ("open", 402, "payment_required")
    assert (status, paid["status"]) == (200, "paid")
    assert (await wallet.get_wallet(reseller.id)).balance_minor == 800
    # It is the platform's, so the reseller cannot void it or mark it as paid.
    for act in ("void", "mark-paid", "credit-notes"):
        assert (await reseller.send("POST", f"/reseller/customer-invoices/{owed['id']}/{act}", {"reason": "x"}))[
            0
        ] == 404


def test_discount_of_a_tier_is_a_line():
    gold = DEFAULT_TIERS[2]

    lines = fees.compute_lines(51, Decimal("1.995"), gold, "EUR")

    assert [(line.description, line.unit_price_minor) for line in lines] == [
        ("51 subscriptions at 1.995 EUR", 10_175),
        ("Discount of tier Gold, 20 %", -2035),
    ]
