"""Payment methods, the providers behind them, and the books that record payments."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from comanda.basics.money import MAX_MINOR


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

    ``amount_minor`` is in minor units of ``currency``; until ``expires_at`` a person may pay, and comes back to
    ``return_url``. The store is named for providers that pay out to an account of each store.
    """

    key: str
    owner_id: int
    store_id: int
    amount_minor: int
    currency: str
    description: str
    return_url: str
    expires_at: datetime


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


class PaymentProvider(Protocol):
    """Collects money and gives it back.

    Each call may be repeated with what it was given before, and then changes nothing more. They raise
    ``PaymentDeclined`` where the provider refuses, and anything else where a later attempt may succeed.
    """

    def is_ready(self) -> bool:
        """Return whether it is configured."""

    async def start(self, charge: ChargeRequest) -> StartedPayment:
        """Start a payment for a person to make."""

    async def check(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a payment."""

    async def cancel(self, reference: str) -> ProviderOutcome:
        """Cancel a payment unless it was made, and return its outcome."""

    async def refund(self, key: str, payment: str, amount_minor: int, currency: str) -> ProviderOutcome:
        """Refund part or all of the payment that a ``ProviderOutcome`` calls ``payment``; ``key`` names this refund."""

    async def check_refund(self, reference: str) -> ProviderOutcome:
        """Return the outcome of a refund."""


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A tender by the ``code`` that clients send, such as ``cash``; one without a ``provider`` is booked at once."""

    code: str
    label: str
    provider: PaymentProvider | None = None


@dataclass(frozen=True, slots=True)
class BookedPayment:
    """Money that was taken for an order, or with a ``refund_id`` given back, as it is booked.

    ``amount_minor`` is what changed hands in minor units of ``currency``, less the change that was given; ``drawer`` is
    the cash drawer that whoever booked it named, if any; ``actor`` is as ``Caller.actor`` has it.
    """

    payment_id: int
    refund_id: int | None
    owner_id: int
    store_id: int
    order_id: int
    method: str
    amount_minor: int
    currency: str
    actor: str
    drawer: str | None
    booked_at: datetime


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
