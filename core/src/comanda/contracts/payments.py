"""Payment methods, the providers behind them, and the books that record payments."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


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
    ``return_url``.
    """

    key: str
    amount_minor: int
    currency: str
    description: str
    return_url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class StartedPayment:
    """A payment that waits for a person: the provider's name for it, and where or how they pay.

    ``reference`` has at most 255 characters.
    """

    reference: str
    redirect_url: str | None = None
    instructions: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProviderOutcome:
    """What a provider says of a payment or a refund: by which name it knows the money, or why there is none."""

    state: ProviderState
    reference: str | None = None
    failure: str | None = None
    amount_minor: int | None = None


class PaymentProvider(Protocol):
    """Collects money and gives it back.

    Each call may be repeated with what it was given before, and then changes nothing more. They raise ``Declined``
    where the provider refuses, and anything else where a later attempt may succeed.
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
