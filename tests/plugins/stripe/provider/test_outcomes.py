"""Outcomes from what Stripe says."""

import pytest
from comanda.contracts import ProviderState
from comanda_stripe.provider.outcomes import to_outcome, to_refund_outcome


@pytest.mark.parametrize(
    ("session", "state", "reference", "amount"),
    [
        ({"payment_status": "paid", "payment_intent": "pi_1", "amount_total": 5}, "succeeded", "pi_1", 5),
        ({"payment_status": "paid", "payment_intent": {"id": "pi_1"}, "amount_total": 5}, "succeeded", "pi_1", 5),
        ({"payment_status": "paid", "payment_intent": None, "amount_total": True}, "succeeded", None, None),
        ({"payment_status": "unpaid", "status": "open"}, "pending", None, None),
        ({"payment_status": "unpaid", "status": "complete"}, "pending", None, None),
        ({"payment_status": "unpaid", "status": "expired"}, "failed", None, None),
    ],
)
def test_outcome_of_a_session(session, state, reference, amount):
    outcome = to_outcome(session)

    assert (outcome.state, outcome.reference, outcome.amount_minor) == (ProviderState(state), reference, amount)


def test_unknown_session_is_no_outcome():
    with pytest.raises(ValueError, match="status"):
        to_outcome({"payment_status": "unpaid", "status": "new"})


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("succeeded", "succeeded"),
        ("pending", "pending"),
        ("requires_action", "pending"),
        ("failed", "failed"),
        ("canceled", "failed"),
    ],
)
def test_outcome_of_a_refund(status, state):
    assert to_refund_outcome({"id": "re_1", "status": status}).state is ProviderState(state)
