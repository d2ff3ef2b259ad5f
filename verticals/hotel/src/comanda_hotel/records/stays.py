"""Records of stays and their folios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from comanda.basics import Money
from comanda_payments.api import PrepaymentStatus
from comanda_reservations.api import ReservationDeposit

from comanda_hotel.models import ChargeKind, StayStatus

# One that is kept pays the nights of guests who come after all; one on the bill of an order pays that.
COUNTED_DEPOSITS: Final = frozenset({PrepaymentStatus.PAID, PrepaymentStatus.APPLIED, PrepaymentStatus.KEPT})
GUESTS_STAY_AWAY: Final = frozenset({StayStatus.CANCELLED, StayStatus.NO_SHOW})


@dataclass(frozen=True, slots=True)
class NightPrice:
    """A night of a stay and its agreed price."""

    date: date
    price: Money


@dataclass(frozen=True, slots=True)
class Stay:
    """A party's stay in a room of a type for the nights from ``check_in`` up to, but not including, ``check_out``.

    ``total`` is for its nights, ``charges_total`` for the charges on its folio.
    """

    id: int
    store_id: int
    status: StayStatus
    room_type_id: int
    room_type: str
    room_id: int | None
    room_number: str | None
    guest_name: str
    phone: str | None
    email: str | None
    adults: int
    children: int
    check_in: date
    check_out: date
    departed_on: date | None
    expires_at: datetime | None
    total: Money
    charges_total: Money
    note: str | None
    source: str
    cancelled_by: str | None
    customer_id: int | None
    reservation_id: int
    nightly: Sequence[NightPrice]
    timeline: Mapping[str, datetime]
    created_at: datetime
    updated_at: datetime

    @property
    def currency(self) -> str:
        """The currency of the amounts."""
        return self.total.currency

    @property
    def nights(self) -> int:
        """The number of nights that ``total`` is for; guests who leave early may pay for fewer than were booked."""
        booked = (self.check_out - self.check_in).days
        return booked if self.departed_on is None else len(self.nightly) or booked


@dataclass(frozen=True, slots=True)
class FolioCharge:
    """A charge on the folio; one with ``voided_at`` no longer counts, because its order was cancelled.

    ``payment_status`` and ``amount_due`` are those of the order, which guests may pay before they leave.
    """

    id: int
    kind: ChargeKind
    order_id: int
    order_number: int
    payment_status: str
    amount: Money
    amount_due: Money
    created_at: datetime
    voided_at: datetime | None


@dataclass(frozen=True, slots=True)
class UnpaidOrder:
    """An order on the folio that is still to be paid, and the path of the page on which guests pay it."""

    number: int
    amount_due: Money
    payment_path: str


@dataclass(frozen=True, slots=True)
class StayWithFolio(Stay):
    """A stay with the charges on its folio, and its deposit."""

    folio: Sequence[FolioCharge]
    deposit: ReservationDeposit | None = None

    @property
    def folio_total(self) -> Money:
        """The nights and all charges that count."""
        return self.total + self.charges_total

    @property
    def amount_due(self) -> Money:
        """The nights that are not prepaid, and what is still to pay of the orders on the folio."""
        return sum((charge.amount_due for charge in self.folio), self.total - self.prepaid)

    @property
    def prepaid(self) -> Money:
        """What the deposit pays of the nights."""
        deposit = self.deposit
        if deposit is None or deposit.status not in COUNTED_DEPOSITS or deposit.order_id is not None:
            return Money(0, self.currency)
        return Money(0 if self.status in GUESTS_STAY_AWAY else min(deposit.held.minor, self.total.minor), self.currency)


@dataclass(frozen=True, slots=True)
class CustomerStays:
    """The stays of a customer, latest arrival first."""

    bookings: Sequence[Stay]
