"""Outcomes of payments and refunds, from what Stripe answers or reports."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import ProviderOutcome, ProviderState

MAX_REFERENCE_LENGTH: Final = 255
REFUND_STATES: Final = {
    "succeeded": ProviderState.SUCCEEDED,
    "failed": ProviderState.FAILED,
    "canceled": ProviderState.FAILED,
}


def to_outcome(session: Mapping[str, Any]) -> ProviderOutcome:
    """Return the outcome of a checkout session. Raises ``ValueError`` for one in no known state."""
    status, amount = session.get("status"), session.get("amount_total")
    if session.get("payment_status") == "paid":
        collected = amount if isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0 else None
        return ProviderOutcome(ProviderState.SUCCEEDED, get_id(session.get("payment_intent")), amount_minor=collected)
    if status == "expired":
        return ProviderOutcome(ProviderState.FAILED, failure="The page expired before the payment was made.")
    if status in {"open", "complete"}:
        # Complete and unpaid: for example, a bank transfer in progress.
        return ProviderOutcome(ProviderState.PENDING)
    raise ValueError(f"a session with the status {status!r}")


def to_intent_outcome(intent: Mapping[str, Any]) -> ProviderOutcome:
    """Return the outcome of a payment intent on a card reader."""
    amount = intent.get("amount_received")
    if intent.get("status") == "succeeded":
        collected = amount if isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0 else None
        return ProviderOutcome(ProviderState.SUCCEEDED, get_id(intent), amount_minor=collected)
    if intent.get("status") == "canceled":
        return ProviderOutcome(ProviderState.FAILED, failure="No card was held to the reader.")
    return ProviderOutcome(ProviderState.PENDING)


def to_refund_outcome(refund: Mapping[str, Any]) -> ProviderOutcome:
    state = REFUND_STATES.get(str(refund.get("status")), ProviderState.PENDING)
    failure = str(refund.get("failure_reason") or "Stripe could not refund the payment.")
    return ProviderOutcome(state, get_id(refund), failure if state is ProviderState.FAILED else None)


def get_id(thing: object) -> str | None:
    """Return the id of an object, or of a reference to one, which may be expanded."""
    found = thing.get("id") if isinstance(thing, Mapping) else thing
    return found if isinstance(found, str) and len(found) <= MAX_REFERENCE_LENGTH else None
