"""Routes for room types and their rates."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_hotel.records.rooms import RoomType, RoomTypePrices
from comanda_hotel.schemas.rooms import RatesBody, RoomTypeBody, RoomTypeChange
from comanda_hotel.services import rates, room_types

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/room-types", scope="restaurants:read")
async def list_room_types(caller: Caller, id: int, page: PageRequest) -> RecordPage[RoomType]:
    """List a hotel's room types in display order, 20 per page."""
    return await room_types.list_room_types(caller, id, page)


@routes.post("/restaurants/{id}/room-types", scope="restaurants:write")
async def create_room_type(caller: Caller, id: int, body: RoomTypeBody) -> RoomType:
    """Create a room type."""
    return await room_types.create_room_type(caller, id, body)


@routes.get("/restaurants/{id}/room-types/{typeId}", scope="restaurants:read")
async def get_room_type(caller: Caller, id: int, type_id: int) -> RoomType:
    """Return a room type."""
    return await room_types.get_room_type(caller, id, type_id)


@routes.put("/restaurants/{id}/room-types/{typeId}", scope="restaurants:write")
async def update_room_type(caller: Caller, id: int, type_id: int, body: RoomTypeChange) -> RoomType:
    """Update a room type; existing stays keep their prices."""
    return await room_types.update_room_type(caller, id, type_id, body)


@routes.delete("/restaurants/{id}/room-types/{typeId}", scope="restaurants:write")
async def delete_room_type(caller: Caller, id: int, type_id: int) -> None:
    """Delete a room type that has no rooms and was never booked; otherwise 409."""
    await room_types.delete_room_type(caller, id, type_id)


@routes.get("/restaurants/{id}/room-types/{typeId}/rates", scope="restaurants:read")
async def get_rates(caller: Caller, id: int, type_id: int) -> RoomTypePrices:
    """Return the nightly rates of a room type from today on."""
    return await rates.get_rates(caller, id, type_id)


@routes.put("/restaurants/{id}/room-types/{typeId}/rates", scope="restaurants:write")
async def update_rates(caller: Caller, id: int, type_id: int, body: RatesBody) -> RoomTypePrices:
    """Update prices of weekdays and nights; null removes a price, omitted prices are kept."""
    return await rates.update_rates(caller, id, type_id, body)
