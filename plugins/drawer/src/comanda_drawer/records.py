"""Records of shifts and movements, as services return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.money import Money

from comanda_drawer.models import MovementKind, ShiftStatus


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift of a drawer.

    ``expected`` is the sum of its movements, so far or at closing; ``counted`` and ``difference`` are None until then.
    """

    id: int
    store_id: int
    drawer: str
    status: ShiftStatus
    currency: str
    opened_by: str
    opened_at: datetime
    opening_float: Money
    expected: Money
    closed_by: str | None
    closed_at: datetime | None
    counted: Money | None
    difference: Money | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Movement:
    """Cash that entered a drawer, or left it if ``amount`` is negative, with its payment or refund.

    ``driver_id`` is the driver who handed in cash of deliveries.
    """

    id: int
    shift_id: int | None
    kind: MovementKind
    amount: Money
    currency: str
    order_id: int | None
    payment_id: int | None
    refund_id: int | None
    driver_id: int | None
    actor: str
    note: str | None
    booked_at: datetime


@dataclass(frozen=True, slots=True)
class MovementTotal:
    """The number of movements of a kind, and their sum."""

    count: int
    amount: Money


@dataclass(frozen=True, slots=True)
class ShiftReport(Shift):
    """A shift with its totals so far by kind of movement, and its newest movements."""

    summary: Mapping[MovementKind, MovementTotal]
    movements: Sequence[Movement]
