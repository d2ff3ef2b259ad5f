"""Records of reservations, tables and settings, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from comanda.basics import Money
from comanda_payments.api import PrepaymentStatus as DepositStatus

from comanda_reservations.models import CancelledBy, ReservationKind, WaitingStatus

AnyStatus = Literal[
    "pending", "confirmed", "seated", "completed", "cancelled", "no_show", "optional", "checked_in", "checked_out"
]
"""The status of a table reservation, ``ReservationStatus``, or of a stay, ``StayStatus``."""


@dataclass(frozen=True, slots=True)
class ReservationDeposit:
    """The deposit of a reservation or a stay: ``id`` is that of the prepayment, ``status`` as there.

    It is paid until ``due_at``, and goes back to guests who cancel until ``free_until``. ``held`` is what was paid and
    not given back, ``order_id`` the order that it was applied to.
    """

    id: int
    status: DepositStatus
    amount: Money
    held: Money
    currency: str
    due_at: datetime
    free_until: datetime
    order_id: int | None


@dataclass(frozen=True, slots=True)
class Reservation:
    """A reservation of tables, or of a stay. ``table_numbers`` is empty for a stay, and if the store has no tables."""

    id: int
    kind: ReservationKind
    status: AnyStatus
    guest_name: str
    phone: str | None
    email: str | None
    party_size: int
    starts_at: datetime
    ends_at: datetime
    table_numbers: Sequence[str]
    note: str | None
    source: str
    cancelled_by: CancelledBy | None
    created_at: datetime
    deposit: ReservationDeposit | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store, and its place on the plan of its area, if it has one."""

    id: int
    number: str
    seats: int
    area: str | None
    is_active: bool
    position: int
    plan_column: int | None
    plan_row: int | None


@dataclass(frozen=True, slots=True)
class TableReservation:
    """A reservation as it concerns a table: who comes, how many, when, and whether they are there."""

    guest_name: str
    party_size: int
    starts_at: datetime
    is_seated: bool


@dataclass(frozen=True, slots=True)
class FloorTable:
    """A table in use with its place on the plan, who is seated there by a reservation, and who comes next today."""

    number: str
    seats: int
    area: str | None
    plan_column: int | None
    plan_row: int | None
    seated: TableReservation | None
    next_reservation: TableReservation | None


@dataclass(frozen=True, slots=True)
class TableSettings:
    """A store's settings for table reservations; without ``capacity_seats`` only the tables limit the guests.

    Guests who reserve for ``deposit_party_size`` or more pay ``deposit_per_guest`` on the store's page within
    ``deposit_hold_minutes``. Until ``deposit_free_hours`` before their time they get it back if they cancel.
    """

    is_accepting: bool
    turn_minutes: int
    slot_minutes: int
    max_party_size: int
    min_notice_minutes: int
    capacity_seats: int | None
    deposit_per_guest: Money | None
    deposit_party_size: int
    deposit_free_hours: int
    deposit_hold_minutes: int
    has_waitlist: bool
    has_public_waitlist: bool


@dataclass(frozen=True, slots=True)
class WaitQuote:
    """How many parties are ahead of a new one, and about how long it waits: null if the store has no tables."""

    party_size: int
    parties_ahead: int
    quoted_minutes: int | None


@dataclass(frozen=True, slots=True)
class WaitingParty:
    """A party on the waitlist. ``place`` is its place in the line from 1, null once it was seated or has left.

    ``calls`` is how often it was called, ``called_at`` when last, ``messaged_at`` when an SMS about it was last
    created: null if there was none. ``reservation_id`` is the reservation that seated the party.
    """

    id: int
    status: WaitingStatus
    place: int | None
    guest_name: str
    party_size: int
    phone: str | None
    note: str | None
    quoted_minutes: int | None
    source: str
    joined_at: datetime
    calls: int
    called_at: datetime | None
    messaged_at: datetime | None
    ended_at: datetime | None
    reservation_id: int | None


@dataclass(frozen=True, slots=True)
class AvailableTable:
    """A table that is free at a time."""

    number: str
    seats: int
    area: str | None


@dataclass(frozen=True, slots=True)
class TableAvailability:
    """Whether a party can be seated, at which tables, and at which later times of that day.

    ``reason`` is why it cannot: ``not_accepting``, ``past``, ``too_soon``, ``too_far``, ``closed``, ``party_too_large``
    or ``fully_booked``. ``table_numbers`` are the tables it would get, empty if the store has no tables.
    """

    starts_at: datetime
    ends_at: datetime
    party_size: int
    is_available: bool
    reason: str | None
    table_numbers: Sequence[str]
    free_tables: Sequence[AvailableTable]
    next_times: Sequence[datetime]
