"""Records of pharmacies, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.contracts import Status

from comanda_pharmacy.models import ReleaseStatus


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """A line of an order that a pharmacist looks at."""

    line_id: int
    name: str
    variation: str | None
    quantity: int
    is_prescription_only: bool


@dataclass(frozen=True, slots=True)
class Release:
    """An order with prescription-only items, and what a pharmacist decided about it; ``note`` says why."""

    order_id: int
    number: int
    type: str
    order_status: Status
    customer_name: str | None
    status: ReleaseStatus
    requested_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    note: str | None
    items: Sequence[ReleaseLine]


@dataclass(frozen=True, slots=True)
class Pharmacists:
    """The members of staff who may release orders."""

    staff_ids: Sequence[int]
