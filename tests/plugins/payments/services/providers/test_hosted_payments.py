"""Payments on a provider's page: opened once and counted once, even if messages are lost."""

import asyncio

from comanda_payments import tasks


async def test_pending_payment_counts_once_confirmed(gateway, till, send_webhook, paid_events):
    reply = await till.pay("stripe", 15, tip=2, return_url="https://shop.example/thanks")

    assert (reply.status, reply["status"], reply["left"]) == (201, "pending", 5)
    assert reply["redirect_url"] == f"{gateway.url}/pay/cs_1"
    assert (gateway.session["amount_total"], gateway.session["currency"]) == (1700, "eur")
    assert gateway.session["success_url"] == "https://shop.example/thanks"
    assert await till.money() == ("unpaid", 0, 0)

    gateway.pay(gateway.session)
    assert (await send_webhook(gateway.session)).status_code == 200
    assert (await send_webhook(gateway.session)).status_code == 200

    assert await till.money() == ("partially_paid", 15, 0)
    (payment,) = await till.payments()
    assert (payment["status"], payment["redirect_url"], payment["tip"]) == ("succeeded", None, 2)
    await till.pay()
    (event,) = await paid_events()
    assert [paid["method"] for paid in event["payments"]] == ["stripe", "cash"]


async def test_lost_response_opens_no_second_page(gateway, till, reconcile_later):
    gateway.lose = 1
    reply = await till.pay("stripe", key="k")
    assert (reply.status, reply["status"], reply["redirect_url"]) == (201, "pending", None)

    again = await till.pay("stripe", key="k")

    assert (again["id"], again["redirect_url"]) == (reply["id"], f"{gateway.url}/pay/cs_1")
    assert len(gateway.sessions) == 1
    gateway.pay(gateway.session)
    await reconcile_later()
    assert await till.money() == ("paid", 20, 0)


async def test_amount_being_paid_online_is_reserved(gateway, till):
    first = await till.pay("stripe", 15)
    await till.pay("cash", 5)

    second = await till.pay("cash")

    assert (second.status, second["reason"]) == (409, "pending")
    cancelled = await till.store.send("POST", f"{till.path}/payments/{first['id']}/cancel")
    assert (cancelled.status, cancelled["status"]) == (200, "cancelled")
    assert gateway.session["status"] == "expired"
    assert (await till.pay())["amount"] == 15


async def test_succeeded_payment_cannot_be_cancelled(gateway, till):
    payment = await till.pay("stripe")
    gateway.pay(gateway.session)

    reply = await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")

    assert (reply.status, reply["reason"]) == (409, "succeeded")
    assert await till.money() == ("paid", 20, 0)


async def test_cancel_fails_while_gateway_is_down(gateway, till):
    payment = await till.pay("stripe")
    gateway.refuse = 500

    reply = await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")

    assert reply.status == 503
    assert (await till.payments())[0]["status"] == "pending"


async def test_expired_page_frees_amount(gateway, till, reconcile_later):
    await till.pay("stripe")
    gateway.session["status"] = "expired"

    await reconcile_later()

    (payment,) = await till.payments()
    assert (payment["status"], payment["failure"]) == ("failed", "The page expired before the payment was made.")
    assert (await till.pay())["amount"] == 20


async def test_late_money_still_counts(gateway, till, send_webhook, paid_events):
    payment = await till.pay("stripe")
    await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")
    await till.pay("cash")
    gateway.pay(gateway.session)

    await send_webhook(gateway.session)

    assert await till.money() == ("paid", 40, 0)
    assert len(await paid_events()) == 1
    assert (await till.refund(amount=20))["parts"][0]["method"] == "stripe"
    assert await till.money() == ("paid", 40, 20)


async def test_collected_amount_counts(gateway, till, send_webhook):
    await till.pay("stripe", tip=1)
    gateway.pay(gateway.session)

    await send_webhook(gateway.session, amount_total=1100)

    assert await till.money() == ("partially_paid", 10, 0)


async def test_concurrent_webhooks_and_checks_count_once(gateway, till, send_webhook, clock, paid_events):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    clock.advance(minutes=2)

    await asyncio.gather(*(send_webhook(gateway.session) for _ in range(4)), tasks.reconcile(), tasks.reconcile())

    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_page_is_opened_once_gateway_recovers(gateway, till, reconcile_later):
    gateway.refuse = 503
    reply = await till.pay("stripe", 5)
    assert (reply["status"], reply["redirect_url"], gateway.sessions) == ("pending", None, {})
    gateway.refuse = 0

    await reconcile_later()

    assert (await till.payments())[0]["redirect_url"] == f"{gateway.url}/pay/cs_1"
