"""Records of laundries, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.basics import Money
from comanda.contracts import PaymentStatus, Status

from comanda_laundry.models import GarmentState


@dataclass(frozen=True, slots=True)
class Garment:
    """A piece of an order's line, under the number on its tag."""

    id: int
    order_id: int
    line_id: int
    tag: int
    name: str
    state: GarmentState
    note: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class LaundryLine:
    """A line of an order; one that is sold by weight has a ``price_per_kg``, and no ``grams`` until it is weighed.

    ``quantity`` of one that is not weighed yet is how many kilograms the guest expects.
    """

    id: int
    name: str
    quantity: int
    price_per_kg: Money | None
    grams: int | None


@dataclass(frozen=True, slots=True)
class LaundryOrderSummary:
    """An order whose goods are cleaned, the day for which they are promised, and how far it is.

    ``lines_to_weigh`` are lines that are sold by weight and not weighed yet, ``garments_ready`` are ready or returned.
    """

    order_id: int
    number: int
    customer_name: str | None
    type: str
    status: Status
    payment_status: PaymentStatus
    scheduled_for: datetime | None
    ready_on: date
    is_overdue: bool
    lines_to_weigh: int
    garments: int
    garments_ready: int
    garments_returned: int


@dataclass(frozen=True, slots=True)
class LaundryOrder(LaundryOrderSummary):
    """An order whose goods are cleaned, with its lines and garments, and what it costs."""

    total: Money
    amount_due: Money
    currency: str
    lines: Sequence[LaundryLine]
    tagged: Sequence[Garment]
