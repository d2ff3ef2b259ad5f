"""The engine of subscriptions: each step once, whatever runs beside it."""

import asyncio
from itertools import pairwise
from time import process_time

import pytest
from comanda.basics import clock as clock_module
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_reseller.services.subscriptions import billing
from comanda_reseller.services.subscriptions.renewals import QUEUE, advance_subscription, catch_up
from comanda_wallet import api as wallet

SUBSCRIPTIONS = 15
# Many times what it takes on a machine that does nothing else.
MAX_SECONDS = 60


async def list_invoices(reseller):
    return await sql.fetch(
        """SELECT sequence, reference, status, total_minor, period_start, period_end, customer_owner_id
           FROM reseller_invoice WHERE owner_id = $1 ORDER BY sequence""",
        reseller.owner.id,
    )


async def test_workers_side_by_side_renew_once(reseller, clock, list_events):
    customer = await reseller.customer(funds_minor=1000_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    clock.advance(days=100)

    await asyncio.gather(*(catch_up(reseller.owner.id, found["id"], clock_module.now()) for _ in range(6)))

    invoices = await list_invoices(reseller)
    assert [row["sequence"] for row in invoices] == [1, 2, 3, 4]
    assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - 4 * 30_00
    assert [name for name, _ in await list_events(customer.id)] == ["renewed"] * 3


async def test_all_steps_that_are_due_are_taken(reseller, clock):
    customer = await reseller.customer(funds_minor=1000_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    clock.advance(days=100)

    await catch_up(reseller.owner.id, found["id"], clock_module.now())

    assert [row["sequence"] for row in await list_invoices(reseller)] == [1, 2, 3, 4]


async def test_two_queue_workers_share_the_work(reseller, clock):
    plan = await reseller.plan(price=30)
    customers = [await reseller.customer(funds_minor=1000_00) for _ in range(6)]
    for customer in customers:
        await reseller.subscribe(customer, plan)
    clock.advance(days=60)

    while sum(await asyncio.gather(process_queue(QUEUE), process_queue(QUEUE))):
        pass

    invoices = await list_invoices(reseller)
    assert [row["sequence"] for row in invoices] == list(range(1, 6 * 3 + 1))
    assert len({row["reference"] for row in invoices}) == len(invoices)
    for customer in customers:
        own = [row for row in invoices if row["customer_owner_id"] == customer.id]
        assert all(one["period_end"] == other["period_start"] for one, other in pairwise(own))
        assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - len(own) * 30_00


async def test_cancelling_during_the_renewal_gives_one_of_the_two_orders(reseller, clock, list_events):
    """The renewal was due first: it is billed, and the cancellation ends the new period."""
    customer = await reseller.customer(funds_minor=1000_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    clock.advance(days=28)

    replies = await asyncio.gather(
        reseller.post(f"/subscriptions/{found['id']}/cancel"),
        catch_up(reseller.owner.id, found["id"], clock_module.now()),
        reseller.post(f"/subscriptions/{found['id']}/cancel"),
    )

    assert {replies[0]["status"], replies[2]["status"]} == {"cancelled"}
    stored = await reseller.subscription(found)
    assert [change["action"] for change in stored["history"]] == ["start", "renew", "cancel"]
    assert stored["current_period_end"] == "2030-03-31T09:00:00+00:00"
    assert len(await list_invoices(reseller)) == 2


async def test_starting_twice_at_once_starts_one(reseller):
    customer = await reseller.customer(funds_minor=1000_00)
    plan = await reseller.plan(price=30)
    body = {"customer_id": customer.id, "plan_code": plan["code"]}

    replies = await asyncio.gather(*(reseller.send("POST", "/reseller/subscriptions", body) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409]
    assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - 30_00


async def test_step_that_fails_leaves_nothing_and_is_taken_later(reseller, clock, monkeypatch, list_events):
    customer = await reseller.customer(funds_minor=1000_00)
    found = await reseller.subscribe(customer, await reseller.plan(price=30))
    clock.advance(days=28)
    collect = billing.invoices.collect_invoice

    async def fail(invoice, at):
        await collect(invoice, at)
        raise RuntimeError("The process dies here.")

    monkeypatch.setattr(billing.invoices, "collect_invoice", fail)
    with pytest.raises(RuntimeError):
        await advance_subscription(reseller.owner.id, found["id"], clock_module.now())
    assert len(await list_invoices(reseller)) == 1
    assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - 30_00
    assert await list_events(customer.id) == []

    monkeypatch.undo()
    clock_module.use_clock(clock)
    await catch_up(reseller.owner.id, found["id"], clock_module.now())

    assert [row["sequence"] for row in await list_invoices(reseller)] == [1, 2]
    assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - 60_00


async def test_a_year_of_many_subscriptions_agrees_in_every_ledger(reseller, clock, list_events):
    plan = await reseller.plan(price=30)
    customers = [await reseller.customer(funds_minor=1000_00) for _ in range(SUBSCRIPTIONS)]
    for customer in customers:
        await reseller.subscribe(customer, plan)
    began = process_time()
    clock.advance(days=365)

    while await process_queue(QUEUE):
        pass

    seconds = process_time() - began
    invoices = await list_invoices(reseller)
    assert [row["sequence"] for row in invoices] == list(range(1, SUBSCRIPTIONS * 12 + SUBSCRIPTIONS + 1))
    assert {row["status"] for row in invoices} == {"paid"}
    for customer in customers:
        assert (await wallet.get_wallet(customer.id)).balance_minor == 1000_00 - 13 * 30_00
        assert [name for name, _ in await list_events(customer.id)] == ["renewed"] * 12
    assert seconds < MAX_SECONDS, seconds
