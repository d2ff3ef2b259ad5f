"""Amounts, and outcomes of payments and refunds, as Mollie has them."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from comanda.basics import money
from comanda.contracts import ProviderOutcome, ProviderState

if TYPE_CHECKING:
    import mollie

# What finds a payment or a refund of ours again at Mollie.
KEY_NAME: Final = "comanda_key"
PENDING: Final = frozenset({"open", "pending", "authorized"})
FAILURES: Final = {
    "canceled": "The payment was cancelled.",
    "expired": "The page expired before the payment was made.",
    "failed": "The payment was declined.",
}
REFUND_STATES: Final = {
    "refunded": ProviderState.SUCCEEDED,
    "failed": ProviderState.FAILED,
    "canceled": ProviderState.FAILED,
}
REFUND_FAILED: Final = "Mollie could not refund the payment."
REFERENCE_SEPARATOR: Final = "/"


class Amount(Protocol):
    """An amount: a decimal string with all decimals of its currency."""

    currency: str
    value: str


class Refund(Protocol):
    """A refund, alone or in a list."""

    id: str
    payment_id: str

    @property
    def status(self) -> str:
        """Where Mollie is with it."""


def create_amount(minor: int, currency: str) -> "mollie.AmountTypedDict":
    return {"currency": currency, "value": money.to_decimal_string(minor, currency)}


def to_minor(amount: Amount) -> int:
    """Return an amount in minor units of its currency. Raises ``ValueError``."""
    return money.to_minor(amount.value, amount.currency)


def to_moment(text: str) -> datetime:
    """Return a moment. Raises ``ValueError``."""
    return datetime.fromisoformat(text)


def get_key(metadata: object) -> object:
    """Return the key that Comanda has given a payment or a refund, None for any other."""
    return metadata.get(KEY_NAME) if isinstance(metadata, Mapping) else None


def to_outcome(payment: "mollie.PaymentResponse") -> ProviderOutcome:
    """Return the outcome of a payment. Raises ``ValueError`` for one in no known state."""
    status = payment.status
    if status == "paid":
        return ProviderOutcome(ProviderState.SUCCEEDED, payment.id, amount_minor=to_minor(payment.amount))
    if status in PENDING:
        return ProviderOutcome(ProviderState.PENDING)
    if status in FAILURES:
        return ProviderOutcome(ProviderState.FAILED, failure=_get_reason(payment) or FAILURES[status])
    raise ValueError(f"a payment with the status {status!r}")


def to_refund_outcome(refund: Refund) -> ProviderOutcome:
    """Return the outcome of a refund. Mollie names one by its payment too."""
    state = REFUND_STATES.get(refund.status, ProviderState.PENDING)
    reference = f"{refund.payment_id}{REFERENCE_SEPARATOR}{refund.id}"
    return ProviderOutcome(state, reference, REFUND_FAILED if state is ProviderState.FAILED else None)


def _get_reason(payment: "mollie.PaymentResponse") -> str | None:
    """Return the sentence in which Mollie says why a payment failed, if it does."""
    reason = payment.status_reason
    return reason.message if reason else None
