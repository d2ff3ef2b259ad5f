"""What agents can do in hotels: see what is free, and the stays of the customer they act for."""

from datetime import date, datetime
from typing import Annotated, Any

from comanda.accounts.kinds import Caller
from comanda.http.wire import Count, Id, ShortText
from comanda.mcp import Arguments, Tool, ToolCall, ToolRefused
from pydantic import BaseModel, Field

from comanda_hotel.models import StayStatus
from comanda_hotel.schemas.availability import AvailabilityOut, FreeRoomsQuery
from comanda_hotel.schemas.dates import Day
from comanda_hotel.schemas.rooms import MAX_PARTY
from comanda_hotel.schemas.stays import AgreedNight
from comanda_hotel.services import availability, hotels, stays
from comanda_hotel.services.hotels import NoRooms

NOT_APPLICABLE = "not_applicable"


class StayArguments(Arguments):
    """A stay to look for."""

    check_in: Annotated[Day, Field(description="Day of arrival, such as 2026-07-01; today or later at the hotel.")]
    check_out: Annotated[Day, Field(description="Day of departure, 1 to 30 days after check_in.")]
    adults: Annotated[Count, Field(ge=1, le=MAX_PARTY, description="How many adults; 1 if left out.")] = 1
    children: Annotated[Count, Field(le=MAX_PARTY, description="How many children; 0 if left out.")] = 0


class AdminArguments(StayArguments):
    """A stay to look for in one of the owner's hotels."""

    restaurant_id: Annotated[
        Id | None, Field(description="The hotel's store id; may be left out if you have one store, or one hotel.")
    ] = None
    room_type: Annotated[
        ShortText | None, Field(description="Id or exact name of a room type; all of them if left out.")
    ] = None


class BookingsArguments(Arguments):
    """How many bookings to list."""

    limit: Annotated[Count, Field(ge=1, le=50, description="At most so many bookings, 1 to 50; 20 if left out.")] = 20


class BookingOut(BaseModel):
    """A stay of the customer's, as they may know it."""

    id: int
    status: Annotated[StayStatus, Field(description="optional is held for you until expires_at.")]
    room_type: str
    room_number: Annotated[str | None, Field(description="Null until the hotel has chosen the room.")]
    guest_name: str
    adults: int
    children: int
    check_in: date
    check_out: date
    nights: int
    nightly: list[AgreedNight]
    total: Annotated[float, Field(description="The nights together, in currency.")]
    currency: str
    expires_at: datetime | None


class BookingsOut(BaseModel):
    """The customer's stays, the latest arrival first."""

    bookings: list[BookingOut]


async def search_owner_availability(call: ToolCall, arguments: AdminArguments) -> dict[str, Any]:
    """Tell an owner what is free in one of their hotels."""
    caller = call.known_caller
    try:
        store_id = arguments.restaurant_id or await hotels.get_only_hotel_id(caller)
        return await _search_availability(caller, store_id, arguments, arguments.room_type)
    except NoRooms as error:
        raise ToolRefused(error.message, NOT_APPLICABLE) from error


async def search_store_availability(call: ToolCall, arguments: StayArguments) -> dict[str, Any]:
    """Tell a guest's agent what is free in the hotel that its token is of."""
    caller = call.known_caller
    if caller.store_id is None:
        raise ToolRefused("This token is of no store.", NOT_APPLICABLE)
    try:
        return await _search_availability(caller, caller.store_id, arguments, None)
    except NoRooms as error:
        raise ToolRefused(error.message, NOT_APPLICABLE) from error


async def list_bookings(call: ToolCall, arguments: BookingsArguments) -> dict[str, Any]:
    """List the stays of the customer whose token it is."""
    return {"bookings": await stays.list_customer_stays(call.known_caller, arguments.limit)}


async def _search_availability(
    caller: Caller, store_id: int, asked: StayArguments, room_type: str | None
) -> dict[str, Any]:
    fields = asked.model_dump(include={"check_in", "check_out", "adults", "children"})
    return await availability.search_availability(caller, store_id, FreeRoomsQuery(**fields, room_type=room_type))


TOOLS = (
    Tool(
        name="hotel_availability",
        title="Find free rooms",
        description=(
            "Tells which room types are free for a stay and what each night costs, for the whole party. Nights run "
            "from check_in up to, not including, check_out. Where nothing is free, reason says why."
        ),
        servers=("admin",),
        arguments=AdminArguments,
        result=AvailabilityOut,
        handler=search_owner_availability,
        capability="restaurants:read",
        is_read_only=True,
    ),
    Tool(
        name="hotel_availability",
        title="Find free rooms",
        description=(
            "Tells which room types of this hotel are free for a stay and what each night costs, for the whole party. "
            "Nights run from check_in up to, not including, check_out. Where nothing is free, reason says why."
        ),
        servers=("storefront",),
        arguments=StayArguments,
        result=AvailabilityOut,
        handler=search_store_availability,
        capability="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="my_bookings",
        title="My hotel bookings",
        description="Lists your hotel stays, past and to come, the latest arrival first. It changes nothing.",
        servers=("customer",),
        arguments=BookingsArguments,
        result=BookingsOut,
        handler=list_bookings,
        is_read_only=True,
    ),
)
