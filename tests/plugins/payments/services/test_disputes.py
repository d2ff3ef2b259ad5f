"""Disputes of payments: what a lost one does to the books, and what is left to the check of the account."""

from comanda.basics import clock as clock_module
from comanda_payments.services.money_movements import list_money_movements


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
