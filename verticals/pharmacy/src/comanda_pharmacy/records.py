"""Records of pharmacies, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

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


@dataclass(frozen=True, slots=True)
class Batch:
    """Packs of an item, or of one of its variations, with one number and one best-before date; ``quantity`` is left."""

    id: int
    item_id: int
    item: str
    variation_id: int | None
    variation: str | None
    number: str
    best_before: date
    quantity: int
    is_expired: bool
    received_at: datetime


@dataclass(frozen=True, slots=True)
class BatchItem:
    """An item that is sold by batch, or a variation with a stock of its own: its stock, and what of it is in batches.

    They differ by what came back with a refund, or was changed by hand: that is sold once it has a batch.
    """

    item_id: int
    item: str
    variation_id: int | None
    variation: str | None
    stock: int | None
    in_batches: int


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """An order that has packs of a batch, and how many."""

    order_id: int
    number: int
    created_at: datetime
    status: Status
    customer_id: int | None
    customer_name: str | None
    phone: str | None
    quantity: int


@dataclass(frozen=True, slots=True)
class LineBatch:
    """Packs of a batch that a line of an order has."""

    line_id: int
    batch_id: int
    number: str
    best_before: date
    quantity: int
