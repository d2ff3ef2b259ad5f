"""The records of payouts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.basics import Money
from comanda.contracts import NullableStoreId, PayoutPartKind, PayoutState


@dataclass(frozen=True, slots=True)
class OwnPayout:
    """A payout of an account to its bank, as its provider has it, which calls it ``reference``.

    ``amount`` is below 0 for what was taken from the bank. ``arrives_on`` is the day on which the bank has it or is to
    have it, ``failure`` why it has not, in the provider's words. With ``has_parts`` it is known what it is made of.
    """

    id: int
    account_id: int
    provider: str
    reference: str
    state: PayoutState
    amount: Money
    currency: str
    arrives_on: date | None
    failure: str | None
    has_parts: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PayoutSum:
    """The sum of the parts of one kind: they add ``amount`` less ``fee``, which is ``net``, to the payout."""

    kind: PayoutPartKind
    count: int
    amount: Money
    fee: Money
    net: Money


@dataclass(frozen=True, slots=True)
class PayoutWithSums(OwnPayout):
    """A payout with the sums of its parts by kind.

    ``unexplained`` is what the parts do not add up to: all of the amount while they are not known.
    """

    sums: Sequence[PayoutSum]
    unexplained: Money


@dataclass(frozen=True, slots=True)
class OwnPayoutPart:
    """A part of a payout, which the provider calls ``reference``: it adds ``net`` to it, ``amount`` less ``fee``.

    All three are below 0 for what is taken back. One of a payment, a refund or a dispute has the payment and its order;
    one without them was not taken by this platform. ``description`` is in the provider's words.
    """

    id: int
    reference: str
    kind: PayoutPartKind
    amount: Money
    fee: Money
    net: Money
    payment_id: int | None
    order_id: int | None
    order_number: int | None
    store_id: NullableStoreId
    description: str | None
