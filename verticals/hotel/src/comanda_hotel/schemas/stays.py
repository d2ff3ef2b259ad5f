"""Requests and answers about stays."""

from datetime import date, datetime
from typing import Annotated, Literal

from comanda.contracts import (
    Amount,
    Body,
    ClientKey,
    Email,
    Id,
    Moment,
    MoneyNumber,
    Name,
    ShortText,
    StoreId,
    Text,
    example,
    is_null,
)
from comanda.web import N_
from comanda_reservations.api import ReservationDeposit
from pydantic import BaseModel, Field

from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import FolioCharge, NightPrice
from comanda_hotel.schemas.dates import Day
from comanda_hotel.schemas.rooms import Adults, Children

Phone = Annotated[ShortText, Field(max_length=50)]
Source = Annotated[ShortText, Field(max_length=50)]


class StayBody(Body):
    """A stay to book: the nights from ``check_in`` up to, but not including, ``check_out``.

    An ``optional`` stay is held until ``expires_at``, by default for a day. ``room_id`` assigns the room at once.
    """

    model_config = example(
        {
            "room_type_id": 1,
            "check_in": "2027-06-01",
            "check_out": "2027-06-04",
            "guest_name": "Ana Silva",
            "adults": 2,
            "email": "ana@example.com",
        }
    )

    room_type_id: Id
    check_in: Day
    check_out: Day
    guest_name: Name
    adults: Adults = 1
    children: Children = 0
    phone: Phone | None = None
    email: Email | None = None
    note: Text | None = None
    source: Source | None = None
    status: Literal[StayStatus.CONFIRMED, StayStatus.OPTIONAL] = StayStatus.CONFIRMED
    expires_at: Moment | None = None
    room_id: Id | None = None
    customer_id: Id | None = None


class StayChange(Body):
    """Changes to a stay; omitted fields are kept. New dates, guests or room type reprice the stay."""

    model_config = example({"check_out": "2027-06-05"})

    room_type_id: Id | None = None
    check_in: Day | None = None
    check_out: Day | None = None
    adults: Adults | None = None
    children: Children | None = None
    guest_name: Name | None = None
    phone: Phone | None = None
    email: Email | None = None
    note: Text | None = None
    expires_at: Moment | None = None
    customer_id: Id | None = None


class StayStatusBody(Body):
    """The status to set. A cancelled stay or no-show can be ``confirmed`` again if its nights are free.

    For ``checked_in``: ``room_id`` is the room, else the assigned one, else a free one; ``allow_dirty``
    accepts a room that has yet to be cleaned. For ``checked_out``: ``charge_unused_nights`` charges the nights that
    guests who leave early do not use.
    """

    model_config = example({"status": "checked_in", "room_id": 4})

    status: Literal[
        StayStatus.CONFIRMED, StayStatus.CHECKED_IN, StayStatus.CHECKED_OUT, StayStatus.CANCELLED, StayStatus.NO_SHOW
    ]
    room_id: Id | None = None
    allow_dirty: bool = False
    charge_unused_nights: bool = False


class StayDepositBody(Body):
    """What the guest is asked to pay online of the nights; without ``amount`` all of it."""

    model_config = example({"amount": 50})

    amount: Amount | None = None


class StayPaymentBody(Body):
    """What guests pay of their nights at the desk; without ``amount`` all that is due of them.

    ``method`` is ``cash``, ``card_external`` for a terminal of the hotel, or another that a plugin adds. ``reference``
    is what the terminal printed, ``drawer`` the cash drawer that cash goes into, if the hotel has several.
    """

    model_config = example({"method": "card_external", "amount": 180, "reference": "T-0481"})

    method: Annotated[ShortText, Field(max_length=30)]
    amount: Amount | None = None
    reference: ShortText | None = None
    drawer: Annotated[Name, Field(max_length=50)] | None = None


class RoomMove(Body):
    """The room to assign to the stay; null removes the assignment."""

    room_id: Id | None


class FolioFields(BaseModel):
    """The stay that an order is charged to, if not that in the room: guests who have left pay it as a late charge."""

    stay_id: Id | None = Field(
        default=None, title=N_("Stay, for a late charge"), exclude_if=is_null, json_schema_extra={"x-staff": True}
    )


class StayQuery(Body):
    """Filters of stays. ``search`` matches name, phone, e-mail and room number.

    ``from`` and ``to`` find stays with a night from ``from`` up to, but not including, ``to``.
    """

    status: StayStatus | None = None
    arrivals_on: Day | None = None
    departures_on: Day | None = None
    in_house: bool | None = None
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    has_room: bool | None = None
    search: ShortText | None = None


class StayOut(BaseModel):
    """A stay. ``total`` is for its nights, ``charges_total`` for the charges on its folio."""

    id: int
    restaurant_id: StoreId
    status: StayStatus
    room_type_id: int
    room_type: str
    room_id: int | None
    room_number: str | None
    guest_name: str
    phone: str | None
    email: str | None
    adults: int
    children: int
    check_in: date
    check_out: date
    nights: int
    departed_on: date | None
    expires_at: datetime | None
    total: MoneyNumber
    charges_total: MoneyNumber
    currency: str
    note: str | None
    source: str
    cancelled_by: str | None
    customer_id: int | None
    reservation_id: int
    created_at: datetime
    updated_at: datetime


class StayDetail(StayOut):
    """A stay with its nights, its folio and the time of each status.

    ``prepaid`` is what the deposit pays of the nights. ``amount_due`` is for the rest of the nights, and for what is
    still to pay of the orders on the folio.
    """

    nightly: list[NightPrice]
    folio: list[FolioCharge]
    folio_total: MoneyNumber
    amount_due: MoneyNumber
    deposit: ReservationDeposit | None
    prepaid: MoneyNumber
    timeline: dict[str, datetime]


class GuestStayBody(Body):
    """A stay that a guest books: the nights from ``check_in`` up to, but not including, ``check_out``."""

    check_in: Day
    check_out: Day
    adults: Adults = 1
    children: Children = 0
    guest_name: Name
    phone: Annotated[Phone, Field(min_length=3)]
    email: Email | None = None
    note: Text | None = None
    client_uuid: ClientKey


class GuestStayOut(BaseModel):
    """Where the page of a stay is."""

    url: str
