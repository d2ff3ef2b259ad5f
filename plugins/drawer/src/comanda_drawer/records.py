"""Records of shifts and movements, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_drawer.models import MovementKind, ShiftStatus


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift of a drawer.

    ``expected`` is the sum of its movements, so far or at closing. ``counted`` and ``difference`` are null until then.
    ``opened_by`` and ``closed_by`` identify a caller, such as ``staff:12``.
    """

    id: int
    store_id: StoreId
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
class ShiftTotals:
    """The totals of a shift by kind of movement; the amounts add up to ``expected``."""

    opening: MovementTotal
    paid_in: MovementTotal
    paid_out: MovementTotal
    no_sale: MovementTotal
    payment: MovementTotal
    refund: MovementTotal
    driver_cash: MovementTotal


@dataclass(frozen=True, slots=True)
class ShiftReport(Shift):
    """A shift with its totals so far and its newest 100 movements, newest first."""

    summary: ShiftTotals
    movements: Sequence[Movement]
