"""The events of payments. Amounts are decimal strings, as in every webhook."""

from datetime import date, datetime
from typing import Annotated, Any

from comanda.contracts import Event, Personal


class RefundCompleted(Event):
    """A refund of an order is complete. Not sent if every part of it failed."""

    name = "refund.completed"
    scope = "orders:read"
    sample = {
        "refund_id": 41,
        "order_id": 1024,
        "restaurant_id": 7,
        "amount": "7.50",
        "currency": "EUR",
        "reason": "The soup was cold.",
        "lines": [{"line_id": 2201, "quantity": 1, "amount": "7.50", "restock": False}],
    }
    personal = ("reason",)

    refund_id: int
    order_id: int
    restaurant_id: int
    amount: str
    currency: str
    reason: Annotated[str | None, Personal("orders:read")]
    lines: list[dict[str, Any]]


class PaymentDisputeChanged(Event):
    """A payment is disputed at its provider (chargeback), or the state of its dispute has changed.

    One that ``needs_response`` is lost unless it is answered at the provider until ``respond_by``. A ``lost`` one is
    refunded, which ``refund.completed`` announces. A payment of a prepayment has no order until that is applied to one.
    """

    name = "payment_dispute.changed"
    scope = "payments:read"
    sample = {
        "dispute_id": 5,
        "payment_id": 88,
        "order_id": 1024,
        "prepayment_id": None,
        "restaurant_id": 7,
        "state": "needs_response",
        "amount": "7.50",
        "currency": "EUR",
        "reason": "fraudulent",
        "respond_by": "2026-03-14T23:59:59Z",
    }

    dispute_id: int
    payment_id: int
    order_id: int | None
    prepayment_id: int | None
    restaurant_id: int
    state: str
    amount: str
    currency: str
    reason: str | None
    respond_by: datetime | None


class PrepaymentChanged(Event):
    """The status of a prepayment has changed, or money went back: a gift card that a page sold, or a guest's deposit.

    Not sent when one is created, nor for one that is ``paid`` as before because its refund has failed. The ``status``
    is ``paid``, also after a part was refunded; ``applied`` to the order ``order_id``, or to a stay without one;
    ``kept``, ``refunding``, ``refunded``, or ``cancelled`` if nothing was paid in time.
    """

    name = "prepayment.changed"
    scope = "orders:read"
    sample = {
        "prepayment_id": 12,
        "restaurant_id": 7,
        "kind": "deposit",
        "status": "paid",
        "amount": "40.00",
        "currency": "EUR",
        "order_id": None,
    }

    prepayment_id: int
    restaurant_id: int
    kind: str
    status: str
    amount: str
    currency: str
    order_id: int | None


class PayoutChanged(Event):
    """The provider of a payment account has paid out to its bank, or the state of a payout has changed.

    The ``state`` goes from ``in_transit`` to ``paid`` to ``failed``, with some of them left out; ``arrives_on`` is the
    day on which the bank has it or is to have it. Ask for the payout to know the orders in it.
    """

    name = "payout.changed"
    scope = "payments:read"
    sample = {
        "payout_id": 9,
        "account_id": 3,
        "restaurant_id": None,
        "reference": "po_1NZ2",
        "state": "paid",
        "amount": "812.40",
        "currency": "EUR",
        "arrives_on": "2026-03-16",
        "failure": None,
    }

    payout_id: int
    account_id: int
    restaurant_id: int | None
    reference: str
    state: str
    amount: str
    currency: str
    arrives_on: date | None
    failure: str | None


class PaymentAccountChanged(Event):
    """The state of an owner's account at a payment provider has changed.

    Only a ``ready`` account takes new payments; ``reason`` says what is missing. Without ``restaurant_id`` it is the
    account of all stores that have none of their own.
    """

    name = "payment_account.changed"
    scope = "payments:read"
    sample = {
        "account_id": 3,
        "restaurant_id": None,
        "provider": "stripe",
        "mode": "live",
        "state": "restricted",
        "reason": "Missing at the provider: identity document.",
    }

    account_id: int
    restaurant_id: int | None
    provider: str
    mode: str
    state: str
    reason: str | None
