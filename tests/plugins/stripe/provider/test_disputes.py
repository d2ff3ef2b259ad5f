"""Disputes at Stripe: what every provider with disputes has to pass, their states, and whose they are."""

import pytest
from comanda.devkit.testing import DisputeSuite
from comanda_stripe.provider.disputes import to_dispute_report

DISPUTES = "/api/v1/payment-disputes"


class TestDisputes(DisputeSuite):
    pass


@pytest.mark.parametrize(
    ("status", "state"),
    [("warning_needs_response", "needs_response"), ("needs_response", "needs_response"), ("won", "won"),
     ("warning_under_review", "under_review"), ("under_review", "under_review"), ("a_new_one", "under_review"),
     ("warning_closed", "won"), ("prevented", "won"), ("lost", "lost")],
)  # fmt: skip
def test_status_of_a_dispute(status, state):
    report = to_dispute_report({"id": "du_1", "amount": 500, "status": status, "payment_intent": "pi_1"})

    assert (report.state, report.payment, report.amount_minor, report.respond_by) == (state, "pi_1", 500, None)
    assert report.url == "https://dashboard.stripe.com/test/payments/pi_1"


async def test_shared_webhook_disputes_payments_of_the_account_that_it_names(
    api, completed, store, order, pay, shared_webhook
):
    await pay()
    api.pay(api.session)
    account = completed["external_id"]
    assert await shared_webhook("checkout.session.completed", api.session, account=account) == 200
    dispute = api.dispute(api.session, status="lost")

    assert await shared_webhook("charge.dispute.closed", dispute) == 200
    assert await shared_webhook("charge.dispute.closed", dispute, account="acct_other") == 200
    assert (await store.send_to(DISPUTES))["data"] == []
    assert await shared_webhook("charge.dispute.closed", dispute, account=account) == 200

    assert [each["state"] for each in (await store.send_to(DISPUTES))["data"]] == ["lost"]
    assert (await store.get(f"/orders/{order['id']}"))["payment_status"] == "refunded"


async def test_webhook_without_a_dispute_is_refused(operator, shared_webhook):
    for nonsense in ({}, {"id": "du_1"}, {"id": "du_1", "amount": "many"}, {"id": 5, "amount": 1}):
        assert await shared_webhook("charge.dispute.created", nonsense) == 400
