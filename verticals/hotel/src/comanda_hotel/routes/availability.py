"""Routes for availability."""

from comanda.contracts import Caller, Routes

from comanda_hotel.records.availability import RoomAvailability
from comanda_hotel.schemas.availability import FreeRoomsQuery
from comanda_hotel.services import availability

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/availability", scope="restaurants:read")
async def get_availability(caller: Caller, id: int, query: FreeRoomsQuery) -> RoomAvailability:
    """Return free rooms and prices by room type and night, for a party and 1 to 30 nights."""
    return await availability.search_availability(caller, id, query)
