"""MCP tools of hotels: availability, and a customer's stays."""

from comanda.contracts import Caller, Tool, ToolCall, ToolRefused

from comanda_hotel.errors import NotAHotel
from comanda_hotel.records.availability import RoomAvailability
from comanda_hotel.records.stays import CustomerStays
from comanda_hotel.schemas.availability import FreeRoomsQuery
from comanda_hotel.schemas.tools import AdminArguments, BookingsArguments, BookingsOut, StayArguments
from comanda_hotel.services import availability, hotels, stays

NOT_APPLICABLE = "not_applicable"


async def search_owner_availability(call: ToolCall, arguments: AdminArguments) -> RoomAvailability:
    """Return the availability of one of the owner's hotels."""
    caller = call.known_caller
    try:
        store_id = arguments.restaurant_id or await hotels.get_only_hotel_id(caller)
        return await _search_availability(caller, store_id, arguments, arguments.room_type)
    except NotAHotel as error:
        raise ToolRefused(error.message, NOT_APPLICABLE) from error


async def search_store_availability(call: ToolCall, arguments: StayArguments) -> RoomAvailability:
    """Return the availability of the hotel that the token belongs to."""
    caller = call.known_caller
    if caller.store_id is None:
        raise ToolRefused("This token belongs to no store.", NOT_APPLICABLE)
    try:
        return await _search_availability(caller, caller.store_id, arguments, None)
    except NotAHotel as error:
        raise ToolRefused(error.message, NOT_APPLICABLE) from error


async def list_bookings(call: ToolCall, arguments: BookingsArguments) -> CustomerStays:
    """List the stays of the token's customer."""
    return CustomerStays(await stays.list_customer_stays(call.known_caller, arguments.limit))


async def _search_availability(
    caller: Caller, store_id: int, arguments: StayArguments, room_type: str | None
) -> RoomAvailability:
    fields = arguments.model_dump(include={"check_in", "check_out", "adults", "children"})
    return await availability.search_availability(caller, store_id, FreeRoomsQuery(**fields, room_type=room_type))


TOOLS = (
    Tool(
        name="hotel_availability",
        title="Find free rooms",
        description=(
            "Returns the free room types for a stay and the price of each night, for the whole party. Nights run "
            "from check_in up to, not including, check_out. If nothing is free, reason says why."
        ),
        servers=("admin",),
        arguments=AdminArguments,
        result=RoomAvailability,
        handler=search_owner_availability,
        scope="restaurants:read",
        is_read_only=True,
    ),
    Tool(
        name="hotel_availability",
        title="Find free rooms",
        description=(
            "Returns the free room types of this hotel for a stay and the price of each night, for the whole party. "
            "Nights run from check_in up to, not including, check_out. If nothing is free, reason says why."
        ),
        servers=("storefront",),
        arguments=StayArguments,
        result=RoomAvailability,
        handler=search_store_availability,
        scope="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="my_bookings",
        title="My hotel bookings",
        description="Lists your hotel stays, past and future, latest arrival first. It changes nothing.",
        servers=("customer",),
        arguments=BookingsArguments,
        result=BookingsOut,
        handler=list_bookings,
        scope="orders",
        is_read_only=True,
    ),
)
