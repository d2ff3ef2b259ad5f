"""Deposits as the store settles them: put on a bill, refunded, kept."""

import asyncio
from datetime import datetime, timedelta

import pytest
from comanda.devkit.testing.payment_providers import RACERS, reconcile
from comanda_payments import api


async def test_deposit_pays_part_of_the_bill(payer, paid_deposit, till, published):
    deposit = await paid_deposit(1500)

    reply = await payer.act(deposit, "apply", order_id=int(till.path.rpartition("/")[2]))

    assert (reply.status, reply["status"]) == (200, "applied"), reply
    assert await till.money() == ("partially_paid", 15, 0)
    [payment] = await till.payments()
    assert (payment["method"], payment["amount"]) == ("demo", 15)
    assert (await till.pay("cash")).status == 201
    assert [name for name, _ in await published()].count("order.paid") == 1


async def test_deposit_counts_on_the_day_on_which_it_is_applied(payer, paid_deposit, till, clock, owner):
    deposit, order_id = await paid_deposit(1500), int(till.path.rpartition("/")[2])
    paid_at = datetime.fromisoformat(deposit["created_at"])
    clock.advance(hours=80)

    await payer.act(deposit, "apply", order_id=order_id)

    [movement] = (await api.list_money_movements([order_id], [owner.id]))[order_id]
    assert movement.moved_at >= paid_at + timedelta(hours=80)
    assert (movement.is_refund, movement.amount_minor) == (False, 1500)


async def test_what_is_above_the_bill_goes_back(payer, paid_deposit, till, clock):
    deposit = await paid_deposit(5000)

    await payer.act(deposit, "apply", order_id=int(till.path.rpartition("/")[2]))
    await reconcile(clock)

    assert await till.money() == ("paid", 50, 30)
    assert (await till.order())["amount_due"] == 0
    assert list(await payer.bank.list_refunded()) == [3000]


async def test_acts_at_once_settle_a_deposit_once(payer, paid_deposit, till, clock):
    deposit = await paid_deposit(1500)
    order_id = int(till.path.rpartition("/")[2])

    replies = await asyncio.gather(
        *(payer.act(deposit, "apply", order_id=order_id) for _ in range(RACERS)),
        *(payer.act(deposit, "refund", reason="Closed") for _ in range(RACERS)),
        *(payer.act(deposit, "keep") for _ in range(RACERS)),
    )
    await reconcile(clock)

    [done] = [reply["status"] for reply in replies if reply.status == 200]
    applied, returned = (await till.money())[1], list(await payer.bank.list_refunded())
    assert {"applied": (15, []), "refunding": (0, [1500]), "kept": (0, [])}[done] == (applied, returned)


async def test_partly_refunded_deposit_is_paid_again(payer, paid_deposit, till, clock, published):
    deposit = await paid_deposit(4000)

    assert (await payer.act(deposit, "refund", reason="Closed", amount=10))["status"] == "refunding"
    assert (await payer.act(deposit, "refund", reason="Closed", amount=10)).status == 409
    await reconcile(clock)
    applied = await payer.act(deposit, "apply", order_id=int(till.path.rpartition("/")[2]))
    over = await payer.act(deposit, "refund", reason="Closed", amount=30.01)

    assert (applied.status, applied["reason"]) == (409, "partly_refunded")
    assert (over.status, list(over["errors"])) == (422, ["amount"])
    changes = [data["status"] for name, data in await published() if name == "prepayment.changed"]
    assert changes == ["paid", "refunding", "paid"]
    await payer.act(deposit, "refund", reason="Closed")
    await reconcile(clock)
    assert list(await payer.bank.list_refunded()) == [1000, 3000]
    assert (await payer.store.get(f"/prepayments/{deposit['id']}"))["status"] == "refunded"


@pytest.mark.parametrize("act", ["apply", "refund", "keep"])
async def test_unpaid_deposit_cannot_be_settled(payer, new_deposit, till, act):
    deposit = await new_deposit()
    bodies = {"apply": {"order_id": int(till.path.rpartition("/")[2])}, "refund": {"reason": "Closed"}, "keep": {}}

    reply = await payer.act(deposit, act, **bodies[act])

    assert (reply.status, reply["reason"]) == (409, "open")
    assert await till.money() == ("unpaid", 0, 0)


async def test_paid_order_takes_no_deposit(payer, paid_deposit, till):
    deposit = await paid_deposit()
    await till.pay("cash")

    reply = await payer.act(deposit, "apply", order_id=int(till.path.rpartition("/")[2]))

    assert (reply.status, reply["reason"]) == (409, "nothing_due")
    assert (await payer.store.get(f"/prepayments/{deposit['id']}"))["status"] == "paid"
