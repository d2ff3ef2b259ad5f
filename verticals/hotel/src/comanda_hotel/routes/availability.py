"""Free and occupied rooms."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_hotel.records.availability import RoomAvailability, RoomOccupancy
from comanda_hotel.schemas.availability import FreeRoomsQuery, OccupancyQuery
from comanda_hotel.services import availability, occupancy

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/availability", scope="restaurants:read")
async def get_availability(caller: Caller, id: int, query: FreeRoomsQuery) -> RoomAvailability:
    """Return free rooms and prices by room type and night, for a party and 1 to 30 nights."""
    return await availability.search_availability(caller, id, query)


@routes.get("/restaurants/{id}/occupancy", scope="orders:read")
async def list_occupancy(
    caller: Caller, id: int, query: OccupancyQuery, page: PageRequest
) -> RecordPage[RoomOccupancy]:
    """List rooms by number, 20 per page, with the nights that stays and blocks take; by default of the next 14 days."""
    return await occupancy.list_occupancy(caller, id, query, page)
