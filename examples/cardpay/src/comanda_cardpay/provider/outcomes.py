"""Outcomes of payments and refunds, from what CardPay answers or reports."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import ProviderOutcome, ProviderState

STATES: Final = {
    "open": ProviderState.PENDING,
    "pending": ProviderState.PENDING,
    "paid": ProviderState.SUCCEEDED,
    "refunded": ProviderState.SUCCEEDED,
}


def to_outcome(document: Mapping[str, Any], *, reference: str = "payment") -> ProviderOutcome:
    """Return the outcome of a page or a refund, from a response or a callback; ``reference`` is what to name it by."""
    state = STATES.get(document["state"], ProviderState.FAILED)
    if state is ProviderState.FAILED:
        return ProviderOutcome(state, failure=document.get("failure") or "The card payment was not made.")
    return ProviderOutcome(state, document.get(reference), amount_minor=document["amount"])
