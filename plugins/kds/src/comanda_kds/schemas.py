"""The kitchen on the wire."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from comanda.contracts.fields import Body, Count, Id, Name, example
from comanda.contracts.order_status import Status
from pydantic import BaseModel, Field

from comanda_kds.states import ItemState

StationName = Annotated[Name, Field(max_length=100)]
Minutes = Annotated[Count, Field(le=1440)]


class Lateness(StrEnum):
    """How a ticket's age compares with what the store allows."""

    ON_TIME = "on_time"
    SOON = "soon"
    LATE = "late"


class StationBody(Body):
    """A station to add. The first of a store is its default, whatever it says."""

    model_config = example({"name": "Grill"})

    name: StationName
    position: Count = 0
    is_default: bool = False


class StationChange(Body):
    """What to change of a station; fields left out stay."""

    model_config = example({"name": "Grill", "is_default": True})

    name: StationName | None = None
    position: Count | None = None
    is_default: bool | None = None


class StationOut(BaseModel):
    """A station. What is routed nowhere else is made at the default."""

    id: int
    name: str
    position: int
    is_default: bool


class RouteBody(Body):
    """Where it is made: a station of the store, or null for what the kitchen does not make."""

    station_id: Id | None


class RouteOut(BaseModel):
    """Where an item, or everything in a category, is made; without a station, not in the kitchen."""

    item_id: int | None
    category_id: int | None
    station_id: int | None


class KitchenChange(Body):
    """What to change of a kitchen's settings; fields left out stay, null is what the installation says."""

    model_config = example({"soon_minutes": 10, "late_minutes": 20})

    soon_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    late_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    lead_minutes: Minutes | None = None


class KitchenOut(BaseModel):
    """Ages in minutes at which a ticket is soon late and late, and how long before its time an order comes."""

    soon_minutes: int
    late_minutes: int
    lead_minutes: int


class View(StrEnum):
    """The board as tickets, or what is still to be made of everything."""

    TICKETS = "tickets"
    ALL_DAY = "all_day"


class StationQuery(BaseModel):
    """Which station's tickets, all those of the member's stations if none is named."""

    station_id: Id | None = None


class BoardQuery(StationQuery):
    """Which station's tickets, all those of the member's stations if none is named, and in which view."""

    view: View = View.TICKETS


class StepBody(Body):
    """The state that the item is believed to be in: another one answers 409, so that a double tap counts once."""

    expected_status: ItemState | None = None


class TicketItemOut(BaseModel):
    """A line of an order, as the kitchen sees it; ``id`` is that of the order's line."""

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
    """An order, as the kitchen sees it, with the lines that are not served yet.

    Its age counts from ``since``: when the order was placed, or when one for later came to the board. ``has_notes``
    says that the order or one of the lines has a note.
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
    """A ticket, and its age at the moment of the answer."""

    age_seconds: int


class BoardEvent(BaseModel):
    """What an event ``board`` holds: the tickets, and the ages at which they are soon late and late."""

    soon_seconds: int
    late_seconds: int
    tickets: list[Ticket]


class AllDayOut(BaseModel):
    """How many of one thing are to be made: ``quantity`` is what is queued and what is being prepared."""

    item_id: int
    name: str
    variation: str | None
    station_id: int | None
    quantity: int
    queued: int
    preparing: int
    ready: int


class MovedOut(BaseModel):
    """An item after it was bumped or recalled, and the status of its order after that."""

    id: int
    order_id: int
    name: str
    quantity: int
    status: ItemState
    station_id: int | None
    started_at: datetime | None
    ready_at: datetime | None
    order_status: Status


class LineFields(BaseModel):
    """What the kitchen says of a line of an order; null for what it does not make."""

    kds_status: ItemState | None = None
    station_id: int | None = None
