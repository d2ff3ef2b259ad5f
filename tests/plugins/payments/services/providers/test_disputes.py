"""Disputes of payments: what a lost one does to the books, and what is left to the check of the account."""

import asyncio

import pytest
from comanda.basics import clock as clock_module
from comanda.platform.db import sql
from comanda_payments.services.bills.money_movements import list_money_movements
from comanda_payments.services.refunding import refund_settlement


async def pay(gateway, till, send_webhook):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await send_webhook(gateway.session)


async def test_lost_dispute_leaves_revenue_when_it_is_lost(
    gateway, account, owner, order, till, send_webhook, clock, paid_events
):
    await pay(gateway, till, send_webhook)
    clock.advance(days=3)
    await send_webhook(gateway.dispute(gateway.session), "charge.dispute.created")
    assert await till.money() == ("paid", 20, 0)

    clock.advance(days=30)
    await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed")

    movements = (await list_money_movements([order["id"]], [owner.id]))[order["id"]]
    [taken, returned] = [(each.is_refund, each.method, each.amount_minor) for each in movements]
    assert (taken, returned) == ((False, "stripe", 2000), (True, "stripe", 2000))
    assert movements[1].moved_at == clock_module.now()
    [event] = await paid_events("refund.completed")
    assert (event["amount"], event["reason"]) == ("20.00", "Dispute lost: fraudulent")
    assert (await till.refund(amount=1)).status == 409


async def test_dispute_of_part_of_a_payment_takes_that_part(gateway, account, till, send_webhook):
    await pay(gateway, till, send_webhook)

    await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed", amount=500)

    assert await till.money() == ("partially_refunded", 20, 5)


async def test_refunded_payment_has_nothing_left_to_lose(gateway, account, till, ask_disputes, send_webhook):
    await pay(gateway, till, send_webhook)
    await till.refund()

    await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed")

    assert [(each["state"], each["refund_id"]) for each in await ask_disputes()] == [("lost", None)]
    assert len(await till.refunds()) == 1
    assert await till.money() == ("refunded", 20, 20)


async def test_dispute_of_a_payment_that_is_not_booked_waits_for_the_check(
    gateway, account, till, ask, ask_disputes, send_webhook
):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await send_webhook(gateway.dispute(gateway.session), "charge.dispute.created")
    assert await ask_disputes() == []

    await send_webhook(gateway.session)
    gateway.refuse = 503
    await ask(f"/{account['id']}/check", "POST")
    assert await ask_disputes() == []
    gateway.refuse = 0
    await ask(f"/{account['id']}/check", "POST")

    assert [each["state"] for each in await ask_disputes()] == ["needs_response"]


@pytest.fixture
async def pending_refund(gateway, account, till, send_webhook):
    """A refund that the gateway has not made yet, of a payment of 20.00 whose dispute is then lost."""

    async def make(amount, *, disputed=2000):
        await pay(gateway, till, send_webhook)
        gateway.refund_status = "pending"
        assert (await till.refund(amount=amount))["status"] == "pending"
        await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed", amount=disputed)
        (refund,) = gateway.refunds.values()
        return refund

    return make


@pytest.mark.parametrize(("amount", "disputed", "at_once", "lost"), [(20, 2000, 0, 20), (5, 2000, 15, 20),
    (15, 1000, 5, 10), (5, 1000, 10, 10)])  # fmt: skip
async def test_lost_dispute_takes_what_a_refund_failed_to_give_back(
    amount, disputed, at_once, lost, pending_refund, till, ask_disputes, reconcile_later, paid_events
):
    refund = await pending_refund(amount, disputed=disputed)
    assert (await till.money())[2] == at_once

    refund["status"] = "failed"
    await reconcile_later()
    await reconcile_later()

    assert (await till.money())[2] == lost
    events = await paid_events("refund.completed")
    assert sum(float(event["amount"]) for event in events) == lost
    assert {event["reason"] for event in events} == {"Dispute lost: fraudulent"}
    [dispute] = await ask_disputes()
    losses = [each["id"] for each in await till.refunds() if each["status"] == "completed"]
    assert (dispute["state"], dispute["refund_id"]) == ("lost", min(losses))


async def test_refund_that_is_made_after_a_loss_counts_once(pending_refund, till, ask_disputes, reconcile_later):
    refund = await pending_refund(15, disputed=2000)

    refund["status"] = "succeeded"
    await reconcile_later()

    assert await till.money() == ("refunded", 20, 20)
    assert sorted(each["amount"] for each in await till.refunds()) == [5, 15]


async def test_won_dispute_takes_nothing_when_a_refund_fails(gateway, account, till, send_webhook, reconcile_later):
    await pay(gateway, till, send_webhook)
    gateway.refund_status = "pending"
    await till.refund(amount=20)
    await send_webhook(gateway.dispute(gateway.session, "won"), "charge.dispute.closed")

    next(iter(gateway.refunds.values()))["status"] = "failed"
    await reconcile_later()

    assert await till.money() == ("paid", 20, 0)


async def test_refund_of_two_payments_fails_in_one(gateway, account, till, ask_disputes, send_webhook, reconcile_later):
    await till.pay("cash", 8)
    await pay(gateway, till, send_webhook)
    gateway.refund_status = "pending"
    assert (await till.refund())["status"] == "pending"
    await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed")

    next(iter(gateway.refunds.values()))["status"] = "failed"
    await reconcile_later()

    # The cash of the refund and the loss of the card; each payment once.
    assert sorted((each["amount"], each["reason"]) for each in await till.refunds()) == [
        (8, "Cold"), (12, "Dispute lost: fraudulent"),
    ]  # fmt: skip
    assert await till.money() == ("refunded", 20, 20)


async def test_failure_that_all_hear_at_once_books_the_loss_once(pending_refund, till, order, owner):
    refund = await pending_refund(20)
    refund["status"] = "failed"
    part_id = await sql.fetch_value("SELECT id FROM payments_refund_part WHERE owner_id = $1", owner.id)

    await asyncio.gather(*(refund_settlement.process_part(owner.id, part_id) for _ in range(8)))

    assert await till.money() == ("refunded", 20, 20)
    assert sorted(each["status"] for each in await till.refunds()) == ["completed", "failed"]


async def test_process_that_dies_between_failure_and_loss_books_both_later(
    pending_refund, till, reconcile_later, monkeypatch
):
    refund = await pending_refund(20)
    refund["status"] = "failed"

    async def die(*_):
        raise ConnectionError("The process died here.")

    with monkeypatch.context() as patch:
        patch.setattr(refund_settlement, "refund_losses", die)
        with pytest.raises(ConnectionError):
            await reconcile_later()
    assert [each["status"] for each in await till.refunds()] == ["pending"]
    await reconcile_later()

    assert await till.money() == ("refunded", 20, 20)
