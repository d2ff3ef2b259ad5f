"""Reservations, tables and settings on the wire."""

from datetime import date, datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, Count, Moment, Name, ShortText, Text, example
from comanda.contracts.order_bodies import TableNumber
from pydantic import AfterValidator, BaseModel, Field

from comanda_reservations.models import CancelledBy, ReservationKind, ReservationStatus

MAX_PARTY = 1000


def _number(text: str) -> str:
    if not text:
        raise ValueError("must not be blank")
    return text


def _address(text: str) -> str:
    name, at, host = text.partition("@")
    if text and not (name and at and host and "@" not in host and " " not in text):
        raise ValueError("must be an e-mail address")
    return text


# Every status of either kind.
AnyStatus = Literal[
    "pending",
    "confirmed",
    "seated",
    "completed",
    "cancelled",
    "no_show",
    "optional",
    "checked_in",
    "checked_out",
]
# Days that every calendar and the database know in every time zone.
Day = Annotated[date, Field(ge=date(1970, 1, 1), le=date(2999, 12, 31))]
Number = Annotated[TableNumber, AfterValidator(_number)]
Party = Annotated[Count, Field(ge=1, le=MAX_PARTY)]
Seats = Annotated[Count, Field(ge=1, le=100)]
Position = Annotated[Count, Field(ge=0, le=1_000_000)]
Area = Annotated[ShortText, Field(max_length=100)]
Phone = Annotated[ShortText, Field(max_length=50)]
Email = Annotated[ShortText, AfterValidator(_address)]
Numbers = Annotated[
    list[Number],
    Field(max_length=10, description="Numbers of tables; none lets the store's smallest fitting tables be chosen."),
]
Override = Annotated[
    bool,
    Field(description="Sets hours, notice, party limit and seats aside; never who has a table already."),
]


class ReservationBody(Body):
    """A table to reserve. ``ends_at`` is the store's turn later unless it is given."""

    model_config = example(
        {
            "guest_name": "Ana Silva",
            "party_size": 4,
            "starts_at": "2027-06-01T19:30:00+00:00",
            "phone": "+351912345678",
            "note": "A table outside",
        }
    )

    guest_name: Name
    party_size: Party
    starts_at: Moment
    ends_at: Moment | None = None
    phone: Phone | None = None
    email: Email | None = None
    table_numbers: Numbers = []
    note: Text | None = None
    source: Annotated[ShortText, Field(max_length=50)] | None = None
    status: Literal["pending", "confirmed"] = "confirmed"
    override: Override = False


class ReservationChange(Body):
    """What to change of a reservation; fields left out stay as they are, an empty text clears an optional one.

    A new ``starts_at`` alone moves the end along. Tables stay while they fit and are free; an empty ``table_numbers``
    has them chosen anew.
    """

    model_config = example({"party_size": 5})

    guest_name: Name | None = None
    party_size: Party | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    phone: Phone | None = None
    email: Email | None = None
    table_numbers: Numbers | None = None
    note: Text | None = None
    override: Override = False


class ReservationStatusBody(Body):
    """The status to set; ``cancelled_by`` goes with ``cancelled``."""

    model_config = example({"status": "seated"})

    status: ReservationStatus
    cancelled_by: Literal["customer", "store"] = "store"


class ReservationQuery(Body):
    """Which reservations to list: ``on``, ``from`` and ``to`` are days of the store on which they start."""

    status: AnyStatus | None = None
    kind: ReservationKind | None = None
    on: Day | None = None
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    search: Annotated[ShortText, Field(description="Part of a name, phone number or e-mail address.")] | None = None


class ReservationOut(BaseModel):
    """A reservation of either kind; ``table_numbers`` is empty for a stay, and where the store has no tables."""

    id: int
    kind: ReservationKind
    status: AnyStatus
    guest_name: str
    phone: str | None
    email: str | None
    party_size: int
    starts_at: datetime
    ends_at: datetime
    table_numbers: list[str]
    note: str | None
    source: str
    cancelled_by: CancelledBy | None
    created_at: datetime


class TableBody(Body):
    """A new table."""

    number: Number
    seats: Seats
    area: Area | None = None
    is_active: bool = True
    position: Position = 0


class TableChange(Body):
    """What to change of a table; fields left out stay as they are, an empty ``area`` clears it."""

    model_config = example({"seats": 6})

    number: Number | None = None
    seats: Seats | None = None
    area: Area | None = None
    is_active: bool | None = None
    position: Position | None = None


class TableOut(BaseModel):
    """A table of the store."""

    id: int
    number: str
    seats: int
    area: str | None
    is_active: bool
    position: int


class ReservationSettings(BaseModel):
    """What the owner decides about reservations; without ``capacity_seats`` only the tables bound the guests."""

    is_accepting: bool
    turn_minutes: int
    slot_minutes: int
    max_party_size: int
    min_notice_minutes: int
    capacity_seats: int | None


class ReservationSettingsChange(Body):
    """Settings to change; what is left out stays as it is, null for ``capacity_seats`` takes the bound away."""

    model_config = example({"turn_minutes": 90, "max_party_size": 12})

    is_accepting: bool | None = None
    turn_minutes: Annotated[Count, Field(ge=15, le=720)] | None = None
    slot_minutes: Annotated[Count, Field(ge=5, le=120)] | None = None
    max_party_size: Party | None = None
    min_notice_minutes: Annotated[Count, Field(ge=0, le=43_200)] | None = None
    capacity_seats: Annotated[Count, Field(ge=1, le=100_000)] | None = None


class AvailabilityQuery(Body):
    """When, and for how many; the next slot and two guests where that is left out."""

    starts_at: Moment | None = None
    party_size: Annotated[int, Field(ge=1, le=MAX_PARTY)] = 2


class FreeTable(BaseModel):
    """A table that nobody has at that time."""

    number: str
    seats: int
    area: str | None


class Availability(BaseModel):
    """Whether a party fits, on which tables, and when else that day.

    ``reason`` explains a no: ``not_accepting``, ``past``, ``too_soon``, ``too_far``, ``closed``, ``party_too_large``
    or ``fully_booked``. ``table_numbers`` are the tables that it would get, none where the store has no tables.
    """

    starts_at: datetime
    ends_at: datetime
    party_size: int
    is_available: bool
    reason: str | None
    table_numbers: list[str]
    free_tables: list[FreeTable]
    next_times: list[datetime]
