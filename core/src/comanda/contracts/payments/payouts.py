"""Payouts: the money that providers pay out to the bank of an account, and what each is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from comanda.basics.money import MAX_MINOR, get_exponent
from comanda.contracts.payments.accounts import PaymentAccount


class PayoutState(StrEnum):
    """The state of a payout, which only goes on in this order: a bank may return one that was paid."""

    IN_TRANSIT = "in_transit"
    PAID = "paid"
    FAILED = "failed"


class PayoutPartKind(StrEnum):
    """What a part of a payout is; ``OTHER`` is anything else that the provider books, such as a reserve."""

    PAYMENT = "payment"
    REFUND = "refund"
    DISPUTE = "dispute"
    FEE = "fee"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PayoutPart:
    """A part of a payout by the provider's ``reference``: it adds ``amount_minor`` less ``fee_minor`` to it.

    Both are in minor units of the payout's currency, and below 0 for what is taken back. ``payment`` is as of a
    ``RefundRequest``: that of a payment, refund or dispute. ``description`` is in the provider's words.
    """

    reference: str
    kind: PayoutPartKind
    amount_minor: int
    fee_minor: int = 0
    payment: str | None = None
    description: str | None = None

    def __post_init__(self) -> None:
        _check_reference(self.reference)
        if not isinstance(self.kind, PayoutPartKind):
            raise TypeError(f"kind must be a PayoutPartKind, not {self.kind!r}")
        _check_signed_minor("amount_minor", self.amount_minor)
        _check_signed_minor("fee_minor", self.fee_minor)


@dataclass(frozen=True, slots=True)
class PayoutReport:
    """A payout as its provider has it, by its own ``reference``.

    ``amount_minor`` is below 0 for what is taken from the bank. ``arrives_on`` is the day on which the bank has it or
    is to have it, ``failure`` why it has not, in the provider's words. ``external_id`` as in ``PaymentReport``.
    """

    reference: str
    state: PayoutState
    amount_minor: int
    currency: str
    arrives_on: date | None = None
    failure: str | None = None
    external_id: str | None = None

    def __post_init__(self) -> None:
        _check_reference(self.reference)
        if not isinstance(self.state, PayoutState):
            raise TypeError(f"state must be a PayoutState, not {self.state!r}")
        _check_signed_minor("amount_minor", self.amount_minor)
        get_exponent(self.currency)


class Payouts(Protocol):
    """Lists the payouts of accounts, for what a webhook did not say."""

    async def list_payouts(self, account: PaymentAccount, since: datetime) -> Sequence[PayoutReport]:
        """Return the payouts of an account that were made since then, the oldest first."""

    async def list_parts(self, account: PaymentAccount, reference: str, limit: int) -> Sequence[PayoutPart] | None:
        """Return what a payout is made of, at most ``limit`` parts; none if the provider will never know that.

        None if it does not know it yet: it is asked again.
        """


def _check_reference(reference: object) -> None:
    if not isinstance(reference, str) or not 1 <= len(reference) <= 255:
        raise ValueError(f"reference must be a text of 1 to 255 characters, not {reference!r}")


def _check_signed_minor(name: str, amount: object) -> None:
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise TypeError(f"{name} must be a whole number of minor units, not {amount!r}")
    if abs(amount) > MAX_MINOR:
        raise ValueError(f"{name} must be from -{MAX_MINOR} to {MAX_MINOR}, not {amount}")
