"""Records of the kitchen, as services return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from comanda.contracts import Status

from comanda_kds.models import ItemState


class Lateness(StrEnum):
    """A ticket's age compared with the store's limits."""

    ON_TIME = "on_time"
    SOON = "soon"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Station:
    """A place in the kitchen, such as the grill. Of a store's stations exactly one is the default.

    ``bumps`` is how many bumps an item takes there, null if the store's setting applies.
    """

    id: int
    name: str
    position: int
    is_default: bool
    bumps: int | None


@dataclass(frozen=True, slots=True)
class StationRoute:
    """The station that makes an item, or all items of a category; without a station, the kitchen does not make them."""

    item_id: int | None
    category_id: int | None
    station_id: int | None


@dataclass(frozen=True, slots=True)
class KitchenTimings:
    """When tickets are soon late and late, and how early scheduled orders appear, in minutes."""

    soon_minutes: int
    late_minutes: int
    lead_minutes: int

    @property
    def lead(self) -> timedelta:
        """Return how long before its time a scheduled order appears on the board."""
        return timedelta(minutes=self.lead_minutes)

    def calculate_lateness(self, since: datetime, now: datetime) -> Lateness:
        """Return the lateness of a ticket whose age counts from ``since``."""
        minutes = (now - since).total_seconds() / 60
        if minutes >= self.late_minutes:
            return Lateness.LATE
        return Lateness.SOON if minutes >= self.soon_minutes else Lateness.ON_TIME


@dataclass(frozen=True, slots=True)
class KitchenItem:
    """An order line in the kitchen; ``id`` is the id of the order line.

    ``measure`` is what something by weight weighs.
    ``variation`` and ``extras`` are stored as the API shows them. ``facts`` are codes of what is in it by field, such
    as ``allergens``, as its menu says now. ``is_held`` is true for a queued line of a later course that nobody has
    fired yet, and ``fire_at`` is when it will be fired, if that is known. With one or two ``bumps`` the station is done
    with an item that is ready; with three it also serves it.
    """

    id: int
    item_id: int
    name: str
    measure: str | None
    quantity: int
    variation: Mapping[str, Any] | None
    extras: Sequence[Mapping[str, Any]]
    facts: Mapping[str, Sequence[str]]
    note: str | None
    has_note: bool
    status: ItemState
    station_id: int | None
    started_at: datetime | None
    ready_at: datetime | None
    seat: int | None
    course: int | None
    is_held: bool
    fire_at: datetime | None
    bumps: int


@dataclass(frozen=True, slots=True)
class KitchenVoid:
    """A quantity that was taken off an order line while it was in the kitchen, until a cook has seen it."""

    id: int
    order_line_id: int
    item_id: int
    name: str
    measure: str | None
    quantity: int
    variation: Mapping[str, Any] | None
    extras: Sequence[Mapping[str, Any]]
    station_id: int | None
    seat: int | None
    course: int | None
    voided_at: datetime


@dataclass(frozen=True, slots=True)
class SeenVoid:
    """A void that a cook has seen."""

    id: int
    order_id: int
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class OpenCourse:
    """The course at which an order is, which is the last that was fired or begun, and those that are held."""

    order_id: int
    course: int
    held: Sequence[int]


@dataclass(frozen=True, slots=True)
class CourseFiring:
    """When a course of an order will be fired, or when it was: from then on the kitchen may make it."""

    order_id: int
    course: int
    fire_at: datetime | None
    fired_at: datetime | None


@dataclass(frozen=True, slots=True)
class BoardTicket:
    """A round of an order in the kitchen, with the lines that are not served yet.

    Its age counts from ``since``: when the round was placed or its course fired, or when a scheduled order appeared on
    the board. ``facts`` are what the order must not contain, as codes by field. ``has_notes`` is true if it has
    some, or if the order or one of its lines has a note. ``voids`` are what was taken off and
    no cook has seen yet.
    """

    order_id: int
    number: int
    type: str
    order_status: Status
    table_number: str | None
    room_number: str | None
    customer_name: str | None
    note: str | None
    facts: Mapping[str, Sequence[str]]
    has_notes: bool
    placed_at: datetime
    promised_at: datetime | None
    since: datetime
    lateness: Lateness
    items: Sequence[KitchenItem]
    round: int
    voids: Sequence[KitchenVoid]


@dataclass(frozen=True, slots=True)
class KitchenTicket(BoardTicket):
    """A ticket and its age at the time of the response."""

    age_seconds: int


@dataclass(frozen=True, slots=True)
class KitchenBoard:
    """The tickets of a board, and the ages at which they are soon late and late."""

    soon_seconds: int
    late_seconds: int
    tickets: Sequence[KitchenTicket]


@dataclass(frozen=True, slots=True)
class AllDayCount:
    """The all-day count of an item: ``quantity`` is the sum of ``queued`` and ``preparing``."""

    item_id: int
    name: str
    variation: str | None
    station_id: int | None
    quantity: int
    queued: int
    preparing: int
    ready: int


@dataclass(frozen=True, slots=True)
class MovedItem:
    """An item after bump or recall, and the resulting status of its order."""

    id: int
    order_id: int
    name: str
    quantity: int
    status: ItemState
    station_id: int | None
    started_at: datetime | None
    ready_at: datetime | None
    order_status: Status
