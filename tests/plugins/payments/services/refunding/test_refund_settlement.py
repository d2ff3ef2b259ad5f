"""Refunds through the gateway: made once, completed once, released if declined."""


async def pay_online(gateway, till, reconcile_later):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await reconcile_later()


async def test_refund_goes_through_gateway(gateway, till, reconcile_later, paid_events):
    await pay_online(gateway, till, reconcile_later)

    reply = await till.refund(amount=5)

    assert (reply["status"], reply["parts"][0]["status"]) == ("completed", "completed")
    (refund,) = gateway.refunds.values()
    assert (refund["payment_intent"], refund["amount"]) == ("pi_cs_1", "500")
    assert await till.money() == ("partially_refunded", 20, 5)
    assert len(await paid_events("refund.completed")) == 1


async def test_event_is_sent_once_gateway_completes(gateway, till, reconcile_later, paid_events):
    await pay_online(gateway, till, reconcile_later)
    gateway.refund_status = "pending"

    reply = await till.refund()

    assert (reply["status"], await paid_events("refund.completed")) == ("pending", [])
    assert await till.money() == ("paid", 20, 0)
    assert (await till.refund(amount=1))["reason"] == "nothing_to_refund"
    (refund,) = gateway.refunds.values()
    refund["status"] = "succeeded"
    await reconcile_later()
    await reconcile_later()
    assert (await till.money(), len(await paid_events("refund.completed"))) == (("refunded", 20, 20), 1)


async def test_lost_response_refunds_once(gateway, till, reconcile_later):
    await pay_online(gateway, till, reconcile_later)
    gateway.lose = 1
    assert (await till.refund())["status"] == "pending"

    await reconcile_later()

    assert len(gateway.refunds) == 1
    assert await till.money() == ("refunded", 20, 20)


async def test_declined_refund_releases_amount(gateway, till, reconcile_later, paid_events):
    await pay_online(gateway, till, reconcile_later)
    gateway.refuse = 400

    reply = await till.refund()

    assert (reply["status"], reply["parts"][0]["failure"]) == ("failed", "Not today.")
    assert await till.money() == ("paid", 20, 0)
    assert await paid_events("refund.completed") == []
    gateway.refuse = 0
    assert (await till.refund())["status"] == "completed"


async def test_refund_is_made_once_gateway_recovers(gateway, till, reconcile_later):
    await till.pay("cash", 5)
    await pay_online(gateway, till, reconcile_later)
    gateway.refuse = 503
    assert (await till.refund())["status"] == "pending"
    gateway.refuse = 0

    await reconcile_later()

    (refund,) = await till.refunds()
    assert (refund["status"], [part["status"] for part in refund["parts"]]) == ("completed", ["completed"] * 2)
    assert await till.money() == ("refunded", 20, 20)


async def test_partly_declined_refund_covers_rest(gateway, till, reconcile_later, paid_events):
    await till.pay("cash", 5)
    await pay_online(gateway, till, reconcile_later)
    gateway.refuse = 400

    reply = await till.refund()

    assert (reply["status"], reply["amount"]) == ("completed", 5)
    assert sorted(part["status"] for part in reply["parts"]) == ["completed", "failed"]
    assert await till.money() == ("partially_refunded", 20, 5)
    assert [event["amount"] for event in await paid_events("refund.completed")] == ["5.00"]
