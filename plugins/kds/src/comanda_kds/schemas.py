"""Schemas of the kitchen."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from comanda.contracts.fields import Body, Count, Id, Name, example
from comanda.contracts.order_status import Status
from pydantic import BaseModel, Field

from comanda_kds.models import ItemState
from comanda_kds.records import Lateness

StationName = Annotated[Name, Field(max_length=100)]
Minutes = Annotated[Count, Field(le=1440)]


class StationBody(Body):
    """A station to create. The first station of a store is always its default."""

    model_config = example({"name": "Grill"})

    name: StationName
    position: Count = 0
    is_default: bool = False


class StationChange(Body):
    """Changes to a station; omitted fields stay unchanged."""

    model_config = example({"name": "Grill", "is_default": True})

    name: StationName | None = None
    position: Count | None = None
    is_default: bool | None = None


class RouteBody(Body):
    """The station that makes it, or null if the kitchen does not make it."""

    station_id: Id | None


class KitchenChange(Body):
    """Changes to a kitchen's settings; omitted fields stay unchanged, null restores the installation's default."""

    model_config = example({"soon_minutes": 10, "late_minutes": 20})

    soon_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    late_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    lead_minutes: Minutes | None = None


class View(StrEnum):
    """The board as tickets, or as all-day counts."""

    TICKETS = "tickets"
    ALL_DAY = "all_day"


class StationQuery(BaseModel):
    """The station to list; all of the member's stations if omitted."""

    station_id: Id | None = None


class BoardQuery(StationQuery):
    """The station to list, all of the member's stations if omitted, and the view."""

    view: View = View.TICKETS


class StepBody(Body):
    """The state the item is expected to be in: any other answers 409, so that a double tap counts once."""

    expected_status: ItemState | None = None


class TicketItemOut(BaseModel):
    """An order line in the kitchen; ``id`` is the id of the order line."""

    id: int
    item_id: int
    name: str
    quantity: int
    variation: dict[str, Any] | None
    extras: list[dict[str, Any]]
    note: str | None
    has_note: bool
    status: ItemState
    station_id: int | None
    started_at: datetime | None
    ready_at: datetime | None


class Ticket(BaseModel):
    """An order in the kitchen, with the lines that are not served yet.

    Its age counts from ``since``: when the order was placed, or when a scheduled order appeared on the board.
    ``has_notes`` is true if the order or one of its lines has a note.
    """

    order_id: int
    number: int
    type: str
    order_status: Status
    table_number: str | None
    room_number: str | None
    customer_name: str | None
    note: str | None
    has_notes: bool
    placed_at: datetime
    promised_at: datetime | None
    since: datetime
    lateness: Lateness
    items: list[TicketItemOut]


class TicketOut(Ticket):
    """A ticket and its age at the time of the response."""

    age_seconds: int


class BoardEvent(BaseModel):
    """The data of a ``board`` event: the tickets, and the ages at which they are soon late and late."""

    soon_seconds: int
    late_seconds: int
    tickets: list[Ticket]


class AllDayOut(BaseModel):
    """The all-day count of an item: ``quantity`` is the sum of ``queued`` and ``preparing``."""

    item_id: int
    name: str
    variation: str | None
    station_id: int | None
    quantity: int
    queued: int
    preparing: int
    ready: int


class LineFields(BaseModel):
    """The kitchen's fields of an order line; null if the kitchen does not make it."""

    kds_status: ItemState | None = None
    station_id: int | None = None
