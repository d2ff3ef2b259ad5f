"""Payment methods, the providers behind them, and the books that record payments."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from comanda.basics.money import MAX_MINOR
from comanda.contracts.payments.accounts import AccountPage, AccountStatus, PaymentAccount, ProviderSetup
from comanda.contracts.payments.payouts import PayoutReport, Payouts


def check_amount_minor(name: str, amount: object) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless an amount is an integer of minor units, from 0 to the maximum."""
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise TypeError(f"{name} must be a whole number of minor units, not {amount!r}")
    if not 0 <= amount <= MAX_MINOR:
        raise ValueError(f"{name} must be from 0 to {MAX_MINOR}, not {amount}")


class PaymentDeclined(Exception):
    """The provider refused, and will refuse the same request again; its message is fit for whoever asked."""


class ProviderState(StrEnum):
    """Where a provider is with a payment or a refund; all but ``PENDING`` are final."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ChargeRequest:
    """What a provider is to collect. ``key`` stays the same at each attempt, and so names one payment to the provider.

    ``amount_minor`` is in minor units of ``currency``, and ``fee_minor`` of it is the operator's, which the provider of
    an account with ``platform_fee`` withholds. Until ``expires_at`` a person may pay, and comes back to ``return_url``.
    With a ``reader`` they pay on that one instead of a page.
    """

    key: str
    store_id: int
    amount_minor: int
    fee_minor: int
    currency: str
    description: str
    return_url: str
    expires_at: datetime
    reader: str | None = None


@dataclass(frozen=True, slots=True)
class StartedPayment:
    """A payment that waits for a person: the provider's name for it, and where or how they pay.

    ``reference`` has 1 to 255 characters, ``expires_at`` a time zone.
    """

    reference: str
    redirect_url: str | None = None
    instructions: str | None = None
    expires_at: datetime | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.reference, str) or not 1 <= len(self.reference) <= 255:
            raise ValueError(f"reference must be a text of 1 to 255 characters, not {self.reference!r}")
        if self.expires_at is not None and self.expires_at.tzinfo is None:
            raise ValueError("expires_at must have a time zone")


@dataclass(frozen=True, slots=True)
class ProviderOutcome:
    """What a provider says of a payment or a refund: by which name it knows the money, or why there is none."""

    state: ProviderState
    reference: str | None = None
    failure: str | None = None
    amount_minor: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.state, ProviderState):
            raise TypeError(f"state must be a ProviderState, not {self.state!r}")
        if self.amount_minor is not None:
            check_amount_minor("amount_minor", self.amount_minor)


@dataclass(frozen=True, slots=True)
class RefundRequest:
    """What to refund of the money that a ``ProviderOutcome`` calls ``payment``; ``key`` names this refund for ever."""

    key: str
    payment: str
    amount_minor: int
    currency: str


@dataclass(frozen=True, slots=True)
class WebhookRequest:
    """A webhook as it arrived: the exact bytes, and the headers by their names in lower case."""

    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class PaymentReport:
    """What a webhook says of a payment: the key of its charge, the reference of the started payment, the outcome.

    ``external_id`` is the account that the provider names, if it does.
    """

    key: object
    reference: object
    outcome: ProviderOutcome
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class AccountReport:
    """A webhook says that an account has changed; ``external_id`` as in ``PaymentReport``, ``key`` is the account's."""

    key: object
    external_id: str | None = None


class DisputeState(StrEnum):
    """The state of a dispute (chargeback) of a payment; ``WON`` and ``LOST`` are final."""

    NEEDS_RESPONSE = "needs_response"
    UNDER_REVIEW = "under_review"
    WON = "won"
    LOST = "lost"

    @property
    def is_final(self) -> bool:
        """Whether the dispute is closed."""
        return self in (DisputeState.WON, DisputeState.LOST)


@dataclass(frozen=True, slots=True)
class DisputeReport:
    """A dispute as its provider has it: its own ``reference``, and the ``payment`` as of a ``RefundRequest``.

    ``reference`` has 1 to 255 characters. ``respond_by`` is until when to answer on the provider's page ``url``, and
    ``reason`` is in the provider's words. ``external_id`` as in ``PaymentReport``.
    """

    reference: str
    payment: object
    state: DisputeState
    amount_minor: int
    reason: str | None = None
    respond_by: datetime | None = None
    url: str | None = None
    external_id: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.reference, str) or not 1 <= len(self.reference) <= 255:
            raise ValueError(f"reference must be a text of 1 to 255 characters, not {self.reference!r}")
        if not isinstance(self.state, DisputeState):
            raise TypeError(f"state must be a DisputeState, not {self.state!r}")
        check_amount_minor("amount_minor", self.amount_minor)
        if self.respond_by is not None and self.respond_by.tzinfo is None:
            raise ValueError("respond_by must have a time zone")


@dataclass(frozen=True, slots=True)
class RefundReport:
    """A refund that was made at the provider, not by a ``RefundRequest``, and has reached the payer.

    ``reference`` is the provider's own, of 1 to 255 characters, ``payment`` as of a ``RefundRequest``. ``reason`` is in
    the provider's words, ``external_id`` as in ``PaymentReport``.
    """

    reference: str
    payment: object
    amount_minor: int
    reason: str | None = None
    external_id: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.reference, str) or not 1 <= len(self.reference) <= 255:
            raise ValueError(f"reference must be a text of 1 to 255 characters, not {self.reference!r}")
        check_amount_minor("amount_minor", self.amount_minor)


WebhookReport = PaymentReport | AccountReport | DisputeReport | PayoutReport | RefundReport


class PaymentProvider(Protocol):
    """Collects money into payment accounts, and gives it back from them.

    Each call may be repeated with what it was given before, and then changes nothing more. They raise
    ``PaymentDeclined`` where the provider refuses, and anything else where a later attempt may succeed. No transaction
    is open and no row is locked while one runs.
    """

    def get_setup(self) -> ProviderSetup | None:
        """Return how owners get an account; None where the operator has not configured the provider."""

    async def check_account(self, account: PaymentAccount) -> AccountStatus:
        """Return the state of an account; also called once before it is used.

        Raises ``PaymentDeclined`` for credentials that the provider does not know.
        """

    async def open_account_page(self, account: PaymentAccount, return_url: str) -> AccountPage:
        """Return the page on which the owner completes the account; unless the setup has it, never called."""

    async def start(self, account: PaymentAccount, charge: ChargeRequest) -> StartedPayment:
        """Start a payment for a person to make, on a page or on the ``reader`` of the charge.

        A charge that has expired may have been started before, and its answer lost: its reference is still returned,
        and nobody is asked to pay. Raises ``PaymentDeclined`` for a reader that takes no payment now, once none can be
        made on it.
        """

    async def check(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return the outcome of a payment."""

    async def cancel(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Cancel a payment unless it was made, and return its outcome."""

    async def refund(self, account: PaymentAccount, refund: RefundRequest) -> ProviderOutcome:
        """Refund part or all of a payment."""

    async def check_refund(self, account: PaymentAccount, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""

    async def verify_webhook(self, account: PaymentAccount | None, webhook: WebhookRequest) -> Sequence[WebhookReport]:
        """Return what a webhook reports, nothing for events that do not matter here.

        ``account`` is the one whose ``webhook_url`` was called, None for the address that all accounts share. Raises
        ``Unauthenticated`` unless the webhook is from the provider and recent; ``NotFound`` if none is expected there.
        """


MAX_READER_LENGTH = 100
MAX_READER_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class CardReader:
    """A card reader of an account: the provider's ``reference``, the name that people know it by, if it is reachable.

    Both have 1 to 100 characters. One that is a page has its ``url``.
    """

    reference: str
    name: str
    is_online: bool
    url: str | None = None

    def __post_init__(self) -> None:
        for field, limit in (("reference", MAX_READER_LENGTH), ("name", MAX_READER_NAME_LENGTH)):
            text = getattr(self, field)
            if not isinstance(text, str) or not 1 <= len(text) <= limit:
                raise ValueError(f"{field} must be a text of 1 to {limit} characters, not {text!r}")


class CardReaders(Protocol):
    """Manages the card readers of accounts that can be paid ``in_person``; the provider takes the payments.

    What a provider does not offer over its interface raises ``PaymentDeclined`` with a sentence that says where it is.
    """

    async def list_readers(self, account: PaymentAccount) -> Sequence[CardReader]:
        """Return the readers of an account."""

    async def register_reader(self, account: PaymentAccount, code: str, name: str) -> CardReader:
        """Register a reader by the code that it shows, which is empty where none is needed."""

    async def rename_reader(self, account: PaymentAccount, reference: str, name: str) -> CardReader:
        """Rename a reader."""

    async def remove_reader(self, account: PaymentAccount, reference: str) -> None:
        """Remove a reader from the account; one that is not there any more is no error."""


class Disputes(Protocol):
    """Lists the disputes of accounts, for what a webhook did not say."""

    async def list_disputes(self, account: PaymentAccount, since: datetime) -> Sequence[DisputeReport]:
        """Return the disputes of an account that were opened since then, closed ones too."""


class ReportedRefunds(Protocol):
    """Lists the refunds that were made at the provider, for what a webhook did not say."""

    async def list_refunds(self, account: PaymentAccount, since: datetime) -> Sequence[RefundReport]:
        """Return the refunds of an account that were made at the provider since then."""


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A tender by the ``code`` that clients send, such as ``cash``; one without a ``provider`` is booked at once.

    One with a provider is offered at stores whose payment account there is ready; one with ``readers`` is also taken
    on card readers, which are registered here unless the provider alone ``manages_readers``. The ``disputes``,
    ``payouts`` and ``refunds`` of one that knows them are checked with the account. One that is not ``is_offered`` says
    where money was paid that its plugin records; nobody chooses it.
    """

    code: str
    label: str
    provider: PaymentProvider | None = None
    readers: CardReaders | None = None
    disputes: Disputes | None = None
    payouts: Payouts | None = None
    refunds: ReportedRefunds | None = None
    manages_readers: bool = False
    is_offered: bool = True


@dataclass(frozen=True, slots=True)
class BookedPayment:
    """Money that was taken for an order or a deposit, or with a ``refund_id`` given back, as it is booked.

    That of a deposit has no ``order_id``. ``amount_minor`` is what changed hands in minor units of ``currency``, less
    the change that was given; ``drawer`` is the cash drawer that was named, if any; ``actor`` is as ``Caller.actor``
    has it.
    """

    payment_id: int
    refund_id: int | None
    owner_id: int
    store_id: int
    order_id: int | None
    method: str
    amount_minor: int
    currency: str
    actor: str
    drawer: str | None
    booked_at: datetime


@dataclass(frozen=True, slots=True)
class ExcessRefund:
    """What an amendment or a cancellation of an order gives back in its transaction: all that is above ``keep_minor``.

    It goes back to where it came from; ``method`` is for what cannot, such as the share of a blocked gift card.
    ``drawer`` is the cash drawer that cash is taken from, if the store has several; ``actor`` is as ``Caller.actor``.
    With ``is_unattended`` nobody is there to hand cash over or to use a terminal, so that such payments are refused.
    """

    keep_minor: int
    reason: str
    actor: str
    method: str | None = None
    drawer: str | None = None
    is_unattended: bool = False


@dataclass(frozen=True, slots=True)
class PaymentBook:
    """Notes payments of some ``methods`` in the transaction in which they are booked, as a cash drawer does.

    It hears of tenders that are booked at once, not of what a provider collected: that money is there, whatever a book
    says. A step refuses with ``ValidationFailed`` or ``Conflict``, and nothing of the payment is left.
    """

    name: str
    methods: tuple[str, ...]
    taken: Callable[[BookedPayment], Awaitable[None]]
    returned: Callable[[BookedPayment], Awaitable[None]]
