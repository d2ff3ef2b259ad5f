"""Requests about reservations, tables and settings."""

from datetime import date
from typing import Annotated, Literal

from comanda.contracts import (
    NOT_BLANK,
    Amount,
    Body,
    ClientKey,
    Count,
    Email,
    Moment,
    Name,
    ShortText,
    TableNumber,
    Text,
    example,
)
from pydantic import BaseModel, Field

from comanda_reservations.models import ReservationKind, ReservationStatus
from comanda_reservations.records import AnyStatus

MAX_PARTY_SIZE = 1000
PLAN_COLUMNS = 12
PLAN_ROWS = 8


# Within the range of Python's and PostgreSQL's dates in every time zone.
Day = Annotated[date, Field(ge=date(1970, 1, 1), le=date(2999, 12, 31))]
TableNumberText = Annotated[TableNumber, NOT_BLANK]
PartySize = Annotated[Count, Field(ge=1, le=MAX_PARTY_SIZE)]
PlanColumn = Annotated[Count, Field(ge=1, le=PLAN_COLUMNS)]
PlanRow = Annotated[Count, Field(ge=1, le=PLAN_ROWS)]
SeatCount = Annotated[Count, Field(ge=1, le=100)]
Position = Annotated[Count, Field(ge=0, le=1_000_000)]
Area = Annotated[ShortText, Field(max_length=100)]
Phone = Annotated[ShortText, Field(max_length=50)]
TableNumbers = Annotated[
    list[TableNumberText],
    Field(max_length=10, description="Table numbers. If empty, the smallest tables that fit are assigned."),
]
Override = Annotated[
    bool, Field(description="Ignores opening hours, notice, party limit and seats, but never an existing reservation.")
]


class ReservationBody(Body):
    """A table reservation to create. ``ends_at`` defaults to the store's ``turn_minutes`` after ``starts_at``."""

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
    party_size: PartySize
    starts_at: Moment
    ends_at: Moment | None = None
    phone: Phone | None = None
    email: Email | None = None
    table_numbers: TableNumbers = []
    note: Text | None = None
    source: Annotated[ShortText, Field(max_length=50)] | None = None
    status: Literal["pending", "confirmed"] = "confirmed"
    override: Override = False


class GuestReservationBody(Body):
    """A table that a guest reserves on a store's page."""

    guest_name: Name
    party_size: PartySize
    starts_at: Moment
    phone: Annotated[Phone, Field(min_length=3)]
    email: Email | None = None
    note: Text | None = None
    client_uuid: ClientKey


class GuestReservationOut(BaseModel):
    """Where the page of a reservation is."""

    url: str


class ReservationChange(Body):
    """Changes to a reservation. Omitted fields stay as they are; an empty string clears an optional field.

    A new ``starts_at`` alone moves the end as well. Tables are kept while they fit and are free; an empty
    ``table_numbers`` assigns new ones.
    """

    model_config = example({"party_size": 5})

    guest_name: Name | None = None
    party_size: PartySize | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    phone: Phone | None = None
    email: Email | None = None
    table_numbers: TableNumbers | None = None
    note: Text | None = None
    override: Override = False


class ReservationStatusBody(Body):
    """The new status. ``cancelled_by`` applies to ``cancelled``."""

    model_config = example({"status": "seated"})

    status: ReservationStatus
    cancelled_by: Literal["customer", "store"] = "store"


class ReservationQuery(Body):
    """Filters for a list of reservations. ``on``, ``from`` and ``to`` are start dates in the store's time zone."""

    status: AnyStatus | None = None
    kind: ReservationKind | None = None
    on: Day | None = None
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    search: Annotated[ShortText, Field(description="Part of a name, phone number or e-mail address.")] | None = None


class TableBody(Body):
    """A table to create. On the plan of its area it stands in a column and a row, counted from 1."""

    number: TableNumberText
    seats: SeatCount
    area: Area | None = None
    is_active: bool = True
    position: Position = 0
    plan_column: PlanColumn | None = None
    plan_row: PlanRow | None = None


class TableChange(Body):
    """Changes to a table. Omitted fields stay as they are; an empty ``area`` clears it, as null does a place."""

    model_config = example({"seats": 6})

    number: TableNumberText | None = None
    seats: SeatCount | None = None
    area: Area | None = None
    is_active: bool | None = None
    position: Position | None = None
    plan_column: PlanColumn | None = None
    plan_row: PlanRow | None = None


class ReservationSettingsChange(Body):
    """Changes to the settings. Omitted fields stay as they are.

    ``"capacity_seats": null`` removes the limit, ``"deposit_per_guest": null`` or 0 the deposit.
    """

    model_config = example({"turn_minutes": 90, "max_party_size": 12})

    is_accepting: bool | None = None
    turn_minutes: Annotated[Count, Field(ge=15, le=720)] | None = None
    slot_minutes: Annotated[Count, Field(ge=5, le=120)] | None = None
    max_party_size: PartySize | None = None
    min_notice_minutes: Annotated[Count, Field(ge=0, le=43_200)] | None = None
    capacity_seats: Annotated[Count, Field(ge=1, le=100_000)] | None = None
    deposit_per_guest: Amount | None = None
    deposit_party_size: PartySize | None = None
    deposit_free_hours: Annotated[Count, Field(ge=0, le=720)] | None = None
    deposit_hold_minutes: Annotated[Count, Field(ge=10, le=1440)] | None = None
    has_waitlist: bool | None = None
    has_public_waitlist: bool | None = None


class WaitingPartyBody(Body):
    """A party to add to the waitlist. Without ``quoted_minutes`` the wait is estimated."""

    model_config = example({"guest_name": "Ana Silva", "party_size": 4, "phone": "+351912345678"})

    guest_name: Name
    party_size: PartySize
    phone: Phone | None = None
    note: Text | None = None
    quoted_minutes: Annotated[Count, Field(ge=0, le=720)] | None = None


class GuestWaitingBody(Body):
    """A party that joins the waitlist on a store's page."""

    guest_name: Name
    party_size: PartySize
    phone: Annotated[Phone, Field(min_length=3)]
    note: Text | None = None
    client_uuid: ClientKey


class GuestWaitingOut(BaseModel):
    """Where the page of a waiting party is."""

    url: str


class WaitingSeatBody(Body):
    """The tables of a party that is seated. If empty, the smallest free tables that fit are assigned."""

    model_config = example({"table_numbers": ["4"]})

    table_numbers: TableNumbers = []


class WaitingEndBody(Body):
    """How a party left the waitlist without a table. Only a party that was called can be a ``no_show``."""

    model_config = example({"status": "left"})

    status: Literal["left", "no_show"]


class WaitQuoteQuery(Body):
    """A party size, by default two guests."""

    party_size: Annotated[int, Field(ge=1, le=MAX_PARTY_SIZE)] = 2


class AvailabilityQuery(Body):
    """A time and a party size, by default the next slot and two guests."""

    starts_at: Moment | None = None
    party_size: Annotated[int, Field(ge=1, le=MAX_PARTY_SIZE)] = 2
