"""Arguments and results of the MCP tools."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts import Arguments, Count, Id, MoneyNumber, ShortText
from pydantic import BaseModel, Field

from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import NightPrice
from comanda_hotel.schemas.dates import Day
from comanda_hotel.schemas.rooms import MAX_PARTY


class StayArguments(Arguments):
    """A stay to search for."""

    check_in: Annotated[Day, Field(description="Day of arrival, such as 2026-07-01; today or later at the hotel.")]
    check_out: Annotated[Day, Field(description="Day of departure, 1 to 30 days after check_in.")]
    adults: Annotated[Count, Field(ge=1, le=MAX_PARTY, description="Number of adults; 1 if omitted.")] = 1
    children: Annotated[Count, Field(le=MAX_PARTY, description="Number of children; 0 if omitted.")] = 0


class AdminArguments(StayArguments):
    """A stay to search for in one of the owner's hotels."""

    restaurant_id: Annotated[
        Id | None, Field(description="The hotel's store id; optional if you have only one store or one hotel.")
    ] = None
    room_type: Annotated[
        ShortText | None, Field(description="Id or exact name of a room type; all of them if omitted.")
    ] = None


class BookingsArguments(Arguments):
    """The number of bookings to list."""

    limit: Annotated[Count, Field(ge=1, le=50, description="Maximum number of bookings, 1 to 50; 20 if omitted.")] = 20


class BookingOut(BaseModel):
    """A stay of the customer."""

    id: int
    status: Annotated[
        StayStatus, Field(description="optional is held for you until expires_at, or until its deposit is due.")
    ]
    room_type: str
    room_number: Annotated[str | None, Field(description="Null until the hotel has assigned a room.")]
    guest_name: str
    adults: int
    children: int
    check_in: date
    check_out: date
    nights: int
    nightly: list[NightPrice]
    total: Annotated[MoneyNumber, Field(description="The total of the nights, in currency.")]
    currency: str
    expires_at: datetime | None


class BookingsOut(BaseModel):
    """The customer's stays, latest arrival first."""

    bookings: list[BookingOut]
