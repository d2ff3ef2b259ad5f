"""Records of reservations, tables and settings, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_reservations.models import CancelledBy, ReservationKind, ReservationStatus, StayStatus


@dataclass(frozen=True, slots=True)
class Reservation:
    """A reservation of tables, or of a stay. ``table_numbers`` is empty for a stay, and if the store has no tables."""

    id: int
    kind: ReservationKind
    status: ReservationStatus | StayStatus
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


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store."""

    id: int
    number: str
    seats: int
    area: str | None
    is_active: bool
    position: int


@dataclass(frozen=True, slots=True)
class TableSettings:
    """A store's settings for table reservations; without ``capacity_seats`` only the tables limit the guests."""

    is_accepting: bool = True
    turn_minutes: int = 90
    slot_minutes: int = 15
    max_party_size: int = 20
    min_notice_minutes: int = 0
    capacity_seats: int | None = None


@dataclass(frozen=True, slots=True)
class AvailableTable:
    """A table that is free at a time."""

    number: str
    seats: int
    area: str | None


@dataclass(frozen=True, slots=True)
class TableAvailability:
    """Whether a party can be seated, at which tables, and at which later times of that day.

    ``reason`` is why it cannot; ``table_numbers`` are the tables it would get, empty if the store has no tables.
    """

    starts_at: datetime
    ends_at: datetime
    party_size: int
    reason: str | None
    table_numbers: Sequence[str] = ()
    free_tables: Sequence[AvailableTable] = ()
    next_times: Sequence[datetime] = ()

    @property
    def is_available(self) -> bool:
        """Whether the party can be seated."""
        return self.reason is None
