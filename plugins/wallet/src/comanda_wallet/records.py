"""Records of wallets, entries and earnings, as services return them."""

from dataclasses import dataclass, field
from datetime import datetime

from comanda.basics import Money

from comanda_wallet.models import EntryKind


@dataclass(frozen=True, slots=True)
class Wallet:
    """The wallet of an owner. ``low_balance_minor`` is the threshold of the owner's message, None for no message."""

    owner_id: int
    currency: str
    balance_minor: int = 0
    credit_limit_minor: int = 0
    low_balance_minor: int | None = None
    is_low: bool = False

    @property
    def balance(self) -> Money:
        """The balance; negative if the owner used credit."""
        return Money(self.balance_minor, self.currency)

    @property
    def credit_limit(self) -> Money:
        """How far below zero charges may take the balance."""
        return Money(self.credit_limit_minor, self.currency)

    @property
    def available(self) -> Money:
        """The largest amount that can be charged now."""
        return self.balance + self.credit_limit

    @property
    def low_balance(self) -> Money | None:
        """The threshold, if any."""
        return None if self.low_balance_minor is None else Money(self.low_balance_minor, self.currency)


@dataclass(frozen=True, slots=True)
class Charge:
    """What to charge a wallet. ``reference`` is unique among the owner's entries of this ``kind``.

    Of the amount, ``payee_share_minor`` is earned by the developer ``payee_owner_id``, and the rest by the platform.
    """

    kind: EntryKind
    amount_minor: int
    reference: str
    description: str = ""
    payee_owner_id: int | None = None
    payee_share_minor: int = 0


@dataclass(frozen=True, slots=True)
class Refund:
    """What to refund of a charge, all that is left of it if ``amount_minor`` is None.

    ``kind`` and ``charge_reference`` are those of the charge; ``reference`` is unique among the owner's refunds.
    """

    kind: EntryKind
    charge_reference: str
    reference: str
    amount_minor: int | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of a wallet's balance, signed for the wallet, with the balance after it.

    ``is_repeat`` says that an earlier call with the same reference wrote it.
    """

    id: int
    owner_id: int
    kind: EntryKind
    amount_minor: int
    currency: str
    balance_minor: int
    reference: str
    description: str
    created_at: datetime
    is_repeat: bool = field(default=False, compare=False)

    @property
    def amount(self) -> Money:
        """The signed amount."""
        return Money(self.amount_minor, self.currency)

    @property
    def balance(self) -> Money:
        """The balance after the entry."""
        return Money(self.balance_minor, self.currency)


@dataclass(frozen=True, slots=True)
class Earnings:
    """What a developer has earned through charges of other owners, less the share of what was refunded."""

    owner_id: int
    currency: str
    balance_minor: int
    earned_minor: int
    refunded_minor: int

    @property
    def balance(self) -> Money:
        """Earned less refunded."""
        return Money(self.balance_minor, self.currency)

    @property
    def earned(self) -> Money:
        """The shares of charges."""
        return Money(self.earned_minor, self.currency)

    @property
    def refunded(self) -> Money:
        """The shares given back by refunds, as a positive amount."""
        return Money(self.refunded_minor, self.currency)


@dataclass(frozen=True, slots=True)
class Earning:
    """A developer's share of a charge, or of a refund (negative). It does not name the charged owner."""

    id: int
    kind: EntryKind
    amount: Money
    description: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """Something in the ledger that does not agree, in one sentence."""

    owner_id: int
    sentence: str
