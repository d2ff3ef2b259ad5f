"""Records of prepayments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_payments.models import PrepaymentKind, PrepaymentStatus


@dataclass(frozen=True, slots=True)
class OwnPrepayment:
    """Money taken before anything is delivered for it: a gift card that a page sold, or a guest's deposit.

    While it is ``paid``, it is owed to the payer. An ``open`` one can be paid until ``due_at`` and is cancelled then.
    ``paid`` and ``refunded`` are what a provider has collected and given back. ``order_id`` is the order that it was
    applied to, null for the nights of a stay; ``dashboard_path`` is the dashboard's page of what it is for.
    ``closed_at`` is when it was applied, kept, refunded or cancelled.
    """

    id: int
    store_id: StoreId
    kind: PrepaymentKind
    status: PrepaymentStatus
    description: str
    guest_name: str | None
    email: str | None
    amount: Money
    paid: Money
    refunded: Money
    currency: str
    gift_card_id: int | None
    order_id: int | None
    dashboard_path: str | None
    due_at: datetime
    created_at: datetime
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class PaidPart:
    """One payment of a prepayment. ``refunded`` has been refunded of it, or is about to be.

    ``reference`` is what a terminal at the desk printed.
    """

    id: int
    method: str
    amount: Money
    refunded: Money
    reference: str | None
    paid_at: datetime


@dataclass(frozen=True, slots=True)
class OwnPrepaymentDetail(OwnPrepayment):
    """A prepayment with its payments, the first one first."""

    payments: Sequence[PaidPart]
