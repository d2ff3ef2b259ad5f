"""A payment on a gateway's page: opened once, concluded once, whatever gets lost on the way."""

import asyncio
import json

import pytest
from comanda import clock as clock_module
from comanda.db import sql
from comanda_payments import tasks
from comanda_payments.services import gateway_webhooks

SECRET = "whsec_test_1"


@pytest.fixture
def tell(client, gateway):
    """Call back as the gateway does about a session."""

    async def tell(session, kind="checkout.session.completed", secret=SECRET, sent_at=None, **changes):
        body = json.dumps({"type": kind, "data": {"object": {**session, **changes}}}).encode()
        at = int(clock_module.now().timestamp()) if sent_at is None else sent_at
        headers = {"Stripe-Signature": f"t={at},v1={gateway_webhooks.sign(body, at, secret)}"}
        return await client.post("/api/v1/payments/gateway/events", data=body, headers=headers)

    return tell


@pytest.fixture
def later(clock):
    """Let time pass, and the task run."""

    async def pass_time(minutes=2):
        clock.advance(minutes=minutes)
        await tasks.reconcile()

    return pass_time


async def test_a_payment_waits_for_a_person_and_counts_when_the_gateway_says_so(gateway, till, tell, paid_events):
    reply = await till.pay("gateway", 15, tip=2, return_url="https://shop.example/thanks")

    assert (reply.status, reply["status"], reply["left"]) == (201, "pending", 5)
    assert reply["redirect_url"] == f"{gateway.url}/pay/cs_1"
    assert (gateway.session["amount_total"], gateway.session["currency"]) == (1700, "eur")
    assert gateway.session["success_url"] == "https://shop.example/thanks"
    assert await till.money() == ("unpaid", 0, 0)

    gateway.pay(gateway.session)
    assert (await tell(gateway.session)).status_code == 200
    assert (await tell(gateway.session)).status_code == 200

    assert await till.money() == ("partially_paid", 15, 0)
    (payment,) = await till.payments()
    assert (payment["status"], payment["redirect_url"], payment["tip"]) == ("succeeded", None, 2)
    await till.pay()
    (event,) = await paid_events()
    assert [paid["method"] for paid in event["payments"]] == ["gateway", "cash"]


async def test_a_callback_that_is_lost_is_asked_for(gateway, till, later, paid_events):
    await till.pay("gateway")
    gateway.pay(gateway.session)

    await later()

    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_an_answer_that_is_lost_opens_no_second_page(gateway, till, later):
    gateway.lose = 1
    reply = await till.pay("gateway", key="k")
    assert (reply.status, reply["status"], reply["redirect_url"]) == (201, "pending", None)

    again = await till.pay("gateway", key="k")

    assert (again["id"], again["redirect_url"]) == (reply["id"], f"{gateway.url}/pay/cs_1")
    assert len(gateway.sessions) == 1
    gateway.pay(gateway.session)
    await later()
    assert await till.money() == ("paid", 20, 0)


async def test_a_callback_may_come_before_the_answer(gateway, till, tell):
    gateway.lose = 1
    await till.pay("gateway")
    gateway.pay(gateway.session)

    await tell(gateway.session)

    assert await till.money() == ("paid", 20, 0)


async def test_what_is_being_paid_online_is_not_paid_twice(gateway, till):
    first = await till.pay("gateway", 15)
    await till.pay("cash", 5)

    second = await till.pay("cash")

    assert (second.status, second["reason"]) == (409, "pending")
    cancelled = await till.store.send("POST", f"{till.path}/payments/{first['id']}/cancel")
    assert (cancelled.status, cancelled["status"]) == (200, "cancelled")
    assert gateway.session["status"] == "expired"
    assert (await till.pay())["amount"] == 15


async def test_a_payment_that_was_made_at_this_moment_is_not_cancelled(gateway, till):
    payment = await till.pay("gateway")
    gateway.pay(gateway.session)

    reply = await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")

    assert (reply.status, reply["reason"]) == (409, "succeeded")
    assert await till.money() == ("paid", 20, 0)


async def test_a_payment_is_not_given_up_while_the_gateway_is_away(gateway, till):
    payment = await till.pay("gateway")
    gateway.refuse = 500

    reply = await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")

    assert reply.status == 503
    assert (await till.payments())[0]["status"] == "pending"


async def test_a_page_that_expires_frees_what_it_was_for(gateway, till, later):
    await till.pay("gateway")
    gateway.session["status"] = "expired"

    await later()

    (payment,) = await till.payments()
    assert (payment["status"], payment["failure"]) == ("failed", "Nobody paid before the page expired.")
    assert (await till.pay())["amount"] == 20


async def test_money_that_comes_too_late_still_counts(gateway, till, tell, paid_events):
    payment = await till.pay("gateway")
    await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")
    await till.pay("cash")
    gateway.pay(gateway.session)

    await tell(gateway.session)

    assert await till.money() == ("paid", 40, 0)
    assert len(await paid_events()) == 1
    assert (await till.refund(amount=20))["parts"][0]["method"] == "gateway"
    assert await till.money() == ("paid", 40, 20)


async def test_a_refusal_of_the_gateway_fails_the_payment(gateway, till):
    gateway.refuse = 400

    reply = await till.pay("gateway")

    assert (reply.status, reply["status"], reply["failure"], reply["left"]) == (201, "failed", "Not today.", 20)


async def test_as_much_counts_as_was_collected(gateway, till, tell):
    await till.pay("gateway", tip=1)
    gateway.pay(gateway.session)

    await tell(gateway.session, amount_total=1100)

    assert await till.money() == ("partially_paid", 10, 0)


async def test_a_bank_that_refuses_after_the_checkout_fails_the_payment(gateway, till, tell):
    await till.pay("gateway")

    await tell(gateway.session, "checkout.session.async_payment_failed", status="complete")

    assert (await till.payments())[0]["failure"] == "The bank refused the payment."


@pytest.mark.parametrize("wrong", ["secret", "old", "none", "nonsense"])
async def test_a_callback_without_a_right_signature_changes_nothing(gateway, till, tell, client, wrong):
    await till.pay("gateway")
    gateway.pay(gateway.session)
    if wrong == "secret":
        response = await tell(gateway.session, secret="guess")
    elif wrong == "old":
        response = await tell(gateway.session, sent_at=int(clock_module.now().timestamp()) - 301)
    else:
        headers = {"Stripe-Signature": "t=\u0661,v1=é"} if wrong == "nonsense" else {}
        response = await client.post("/api/v1/payments/gateway/events", data=b"{}", headers=headers)

    assert response.status_code == 401
    assert await till.money() == ("unpaid", 0, 0)


@pytest.mark.parametrize(
    "changes",
    [{"client_reference_id": None}, {"client_reference_id": "payment-1-99999999999999999999999"},
     {"client_reference_id": "payment-x-1"}, {"id": "cs_of_others"}, {"client_reference_id": ["payment"]}],
)  # fmt: skip
async def test_a_callback_about_something_else_is_taken_and_changes_nothing(gateway, till, tell, changes):
    await till.pay("gateway")
    gateway.pay(gateway.session)

    response = await tell(gateway.session, **changes)

    assert response.status_code == 200
    assert await till.money() == ("unpaid", 0, 0)


async def test_callbacks_are_not_there_without_a_secret(client, app):
    response = await client.post("/api/v1/payments/gateway/events", data=b"{}")

    assert response.status_code == 404


async def paid_online(gateway, till, later):
    await till.pay("gateway")
    gateway.pay(gateway.session)
    await later()


async def test_a_refund_goes_back_through_the_gateway(gateway, till, later, paid_events):
    await paid_online(gateway, till, later)

    reply = await till.refund(amount=5)

    assert (reply["status"], reply["parts"][0]["status"]) == ("completed", "completed")
    (made,) = gateway.refunds.values()
    assert (made["payment_intent"], made["amount"]) == ("pi_cs_1", "500")
    assert await till.money() == ("partially_refunded", 20, 5)
    assert len(await paid_events("refund.completed")) == 1


async def test_a_refund_is_told_when_the_gateway_is_done_and_not_before(gateway, till, later, paid_events):
    await paid_online(gateway, till, later)
    gateway.refund_status = "pending"

    reply = await till.refund()

    assert (reply["status"], await paid_events("refund.completed")) == ("pending", [])
    assert await till.money() == ("paid", 20, 0)
    assert (await till.refund(amount=1))["reason"] == "nothing_to_refund"
    (made,) = gateway.refunds.values()
    made["status"] = "succeeded"
    await later()
    await later()
    assert (await till.money(), len(await paid_events("refund.completed"))) == (("refunded", 20, 20), 1)


async def test_a_refund_whose_answer_is_lost_is_made_once(gateway, till, later):
    await paid_online(gateway, till, later)
    gateway.lose = 1
    assert (await till.refund())["status"] == "pending"

    await later()

    assert len(gateway.refunds) == 1
    assert await till.money() == ("refunded", 20, 20)


async def test_a_refund_that_the_gateway_refuses_frees_the_money_again(gateway, till, later, paid_events):
    await paid_online(gateway, till, later)
    gateway.refuse = 400

    reply = await till.refund()

    assert (reply["status"], reply["parts"][0]["failure"]) == ("failed", "Not today.")
    assert await till.money() == ("paid", 20, 0)
    assert await paid_events("refund.completed") == []
    gateway.refuse = 0
    assert (await till.refund())["status"] == "completed"


async def test_callback_and_question_at_once_count_the_money_once(gateway, till, tell, clock, paid_events):
    await till.pay("gateway")
    gateway.pay(gateway.session)
    clock.advance(minutes=2)

    await asyncio.gather(*(tell(gateway.session) for _ in range(4)), tasks.reconcile(), tasks.reconcile())

    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_a_gateway_that_is_down_is_asked_ever_more_seldom(gateway, till, clock):
    await till.pay("gateway")
    gateway.refuse = 503
    (owner_row,) = await sql.fetch("SELECT id FROM payments_payment WHERE status = 'pending' ORDER BY id DESC LIMIT 1")
    waits = []
    for minutes in (2, 40, 600):
        clock.advance(minutes=minutes)
        await tasks.reconcile()
        check_at = await sql.fetch_value("SELECT check_at FROM payments_payment WHERE id = $1", owner_row["id"])
        waits.append(round((check_at - clock_module.now()).total_seconds() / 60))

    assert waits == [1, 10, 60]


async def test_what_the_gateway_never_heard_of_is_told_to_it_later(gateway, till, later):
    gateway.refuse = 503
    reply = await till.pay("gateway", 5)
    assert (reply["status"], reply["redirect_url"], gateway.sessions) == ("pending", None, {})
    gateway.refuse = 0

    await later()

    assert (await till.payments())[0]["redirect_url"] == f"{gateway.url}/pay/cs_1"


async def test_a_refund_that_the_gateway_never_heard_of_is_told_to_it_later(gateway, till, later):
    await till.pay("cash", 5)
    await paid_online(gateway, till, later)
    gateway.refuse = 503
    assert (await till.refund())["status"] == "pending"
    gateway.refuse = 0

    await later()

    (refund,) = await till.refunds()
    assert (refund["status"], [part["status"] for part in refund["parts"]]) == ("completed", ["completed"] * 2)
    assert await till.money() == ("refunded", 20, 20)


async def test_a_refund_of_which_the_gateway_refuses_a_part_is_for_the_rest(gateway, till, later, paid_events):
    await till.pay("cash", 5)
    await paid_online(gateway, till, later)
    gateway.refuse = 400

    reply = await till.refund()

    assert (reply["status"], reply["amount"]) == ("completed", 5)
    assert sorted(part["status"] for part in reply["parts"]) == ["completed", "failed"]
    assert await till.money() == ("partially_refunded", 20, 5)
    assert [event["amount"] for event in await paid_events("refund.completed")] == ["5.00"]
