"""Records of payments, refunds and bill splits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_payments.models import RefundStatus, TenderStatus


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment of an order.

    ``amount`` counts towards the order's total, ``tip`` came on top, ``rounding`` is what cash rounding added or took.
    ``tendered`` is the cash handed over for the amount, and ``change`` the change. ``refunded`` has been refunded of
    the amount, or is about to be. A pending payment is paid at ``redirect_url``, which is null until the gateway has
    opened the page. ``failure`` says why a payment failed. ``driver_id`` is the driver who collected cash on delivery.
    ``payment_account_id`` is the account that an online payment goes to, null for the operator's; ``fee`` of the
    amount is withheld for the operator. ``reader`` is the card reader that a payment in person is made on.
    """

    id: int
    order_id: int
    store_id: StoreId
    method: str
    status: TenderStatus
    currency: str
    amount: Money
    tip: Money
    rounding: Money
    tendered: Money | None
    change: Money
    refunded: Money
    reference: str | None
    gift_card_id: int | None
    driver_id: int | None
    payment_account_id: int | None
    fee: Money
    reader: str | None
    redirect_url: str | None
    instructions: str | None
    failure: str | None
    expires_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class CreatedPayment(Payment):
    """A payment, and what is ``left`` to pay of the order, assuming that pending payments succeed."""

    left: Money
    payment_status: str


@dataclass(frozen=True, slots=True)
class RefundedLine:
    """A refunded quantity of a line; with ``restock`` it goes back into stock."""

    line_id: int
    quantity: int
    amount: Money
    restock: bool


@dataclass(frozen=True, slots=True)
class RefundedPayment:
    """The part of a refund that is of one payment, and its ``method``; ``failure`` says why it failed."""

    payment_id: int
    method: str
    amount: Money
    status: RefundStatus
    failure: str | None


@dataclass(frozen=True, slots=True)
class Refund:
    """A refund of an order. It is pending until the gateway has completed its part."""

    id: int
    order_id: int
    store_id: StoreId
    status: RefundStatus
    amount: Money
    currency: str
    reason: str
    lines: Sequence[RefundedLine]
    parts: Sequence[RefundedPayment]
    created_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True)
class BillPart:
    """What one guest pays, and their lines if the bill is split by line."""

    amount: Money
    line_ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class BillSplit:
    """A bill split into parts, which add up to what is ``left`` of the order."""

    left: Money
    currency: str
    parts: Sequence[BillPart]
