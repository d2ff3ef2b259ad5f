"""Records of gift cards, store credit and the cash that drivers hold: balances with their entries, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_payments.models import DriverCashEntryKind, GiftCardStatus, LedgerEntryKind


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One entry of a ledger, with the ``balance`` after it."""

    id: int
    amount: Money
    balance: Money
    kind: LedgerEntryKind
    order_id: int | None
    note: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class GiftCard:
    """A gift card, identified by the last four characters of its code."""

    id: int
    code_last4: str
    status: GiftCardStatus
    initial_amount: Money
    balance: Money
    currency: str
    customer_id: int | None
    note: str | None
    expires_at: datetime | None
    issued_at: datetime


@dataclass(frozen=True, slots=True)
class GiftCardWithEntries(GiftCard):
    """A gift card with the newest entries of its ledger, newest first."""

    entries: Sequence[LedgerEntry]


@dataclass(frozen=True, slots=True)
class IssuedGiftCard(GiftCardWithEntries):
    """A new gift card with its ``code``, which is returned only once; null in the response to a repeat."""

    code: str | None


@dataclass(frozen=True, slots=True)
class StoreCredit:
    """A customer's store credit."""

    customer_id: int
    balance: Money
    currency: str


@dataclass(frozen=True, slots=True)
class CreditAccount(StoreCredit):
    """A customer's store credit; ``customer_name`` is null for one without a name, or whose data was erased."""

    customer_name: str | None


@dataclass(frozen=True, slots=True)
class StoreCreditWithEntries(StoreCredit):
    """A customer's store credit with the newest entries of its ledger, newest first."""

    entries: Sequence[LedgerEntry]


@dataclass(frozen=True, slots=True)
class DriverCash:
    """The cash of a store that a driver holds, and since when.

    ``driver_name`` is the name of the driver when they last collected cash.
    """

    driver_id: int
    driver_name: str
    store_id: StoreId
    amount: Money
    currency: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class DriverCashEntry:
    """One change of the cash that a driver holds, with the ``balance`` after it."""

    id: int
    kind: DriverCashEntryKind
    amount: Money
    balance: Money
    order_id: int | None
    payment_id: int | None
    refund_id: int | None
    actor: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DriverCashWithEntries(DriverCash):
    """The cash that a driver holds, with the newest 100 changes, newest first."""

    entries: Sequence[DriverCashEntry]
