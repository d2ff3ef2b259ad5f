"""Cash that drivers collect at the door."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.contracts.orders.participants import PlacedOrder
from comanda.contracts.payments.providers import check_amount_minor


@dataclass(frozen=True, slots=True)
class CollectedCash:
    """What a driver took for an order, in minor units of its currency; None is all that is due, in coins.

    ``actor`` is who says so, as ``Caller.actor`` has it; the driver's name is kept for lists. ``is_late`` is whether
    the order was delivered before, so that cash may have been booked for it.
    """

    driver_id: int
    driver_name: str
    amount_minor: int | None
    actor: str
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class CashHeld:
    """The cash of one store that a driver has to hand in, and since when they have held any."""

    store_id: int
    currency: str
    amount_minor: int
    since: datetime

    def __post_init__(self) -> None:
        check_amount_minor("amount_minor", self.amount_minor)


@dataclass(frozen=True, slots=True)
class CashOnDelivery:
    """Books drivers' cash.

    ``collect`` runs in the transaction in which an order becomes delivered, on the locked order, before its
    status changes, and later if cash is reported afterwards. It books at most what is due, as a payment of the order,
    and raises ``ValidationFailed`` on ``cash_collected`` for more; ``Conflict`` with the ``reason`` ``cash_booked`` if
    it ``is_late`` and another amount was booked. ``held_by`` lists what a driver of an owner holds, by store.
    """

    name: str
    collect: Callable[[PlacedOrder, CollectedCash], Awaitable[None]]
    held_by: Callable[[int, int], Awaitable[Sequence[CashHeld]]]
