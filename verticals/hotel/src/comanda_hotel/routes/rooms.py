"""Routes for rooms, their housekeeping status and their blocks."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_hotel.records.rooms import Room, RoomBlock
from comanda_hotel.schemas.rooms import BlockBody, HousekeepingBody, RoomBody, RoomChange, RoomQuery
from comanda_hotel.services import blocks, rooms

routes = Routes("Hotel")


@routes.get("/restaurants/{id}/rooms", scope="restaurants:read")
async def list_rooms(caller: Caller, id: int, query: RoomQuery, page: PageRequest) -> RecordPage[Room]:
    """List rooms by number, 20 per page; filter by ``status`` and ``room_type``."""
    return await rooms.list_rooms(caller, id, query, page)


@routes.post("/restaurants/{id}/rooms", scope="restaurants:write")
async def create_room(caller: Caller, id: int, body: RoomBody) -> Room:
    """Create a room."""
    return await rooms.create_room(caller, id, body)


@routes.get("/restaurants/{id}/rooms/{roomId}", scope="restaurants:read")
async def get_room(caller: Caller, id: int, room_id: int) -> Room:
    """Return a room and the stay that occupies it."""
    return await rooms.get_room(caller, id, room_id)


@routes.put("/restaurants/{id}/rooms/{roomId}", scope="restaurants:write")
async def update_room(caller: Caller, id: int, room_id: int, body: RoomChange) -> Room:
    """Update a room; 409 if a room that is assigned to a stay would change its type or become inactive."""
    return await rooms.update_room(caller, id, room_id, body)


@routes.delete("/restaurants/{id}/rooms/{roomId}", scope="restaurants:write")
async def delete_room(caller: Caller, id: int, room_id: int) -> None:
    """Delete a room that was never assigned to a stay; otherwise 409."""
    await rooms.delete_room(caller, id, room_id)


@routes.put("/restaurants/{id}/rooms/{roomId}/status", scope="restaurants:write")
async def update_room_status(caller: Caller, id: int, room_id: int, body: HousekeepingBody) -> Room:
    """Update the housekeeping status; a room that is ``out_of_order`` is not sold until its status changes."""
    return await rooms.update_room_status(caller, id, room_id, body.status)


@routes.get("/restaurants/{id}/rooms/{roomId}/blocks", scope="restaurants:read")
async def list_blocks(caller: Caller, id: int, room_id: int, page: PageRequest) -> RecordPage[RoomBlock]:
    """List a room's out-of-order blocks, latest first, 20 per page."""
    return await blocks.list_blocks(caller, id, room_id, page)


@routes.post("/restaurants/{id}/rooms/{roomId}/blocks", scope="restaurants:write")
async def create_block(caller: Caller, id: int, room_id: int, body: BlockBody) -> RoomBlock:
    """Take a room out of order for some nights; 409 if a stay has one of those nights."""
    return await blocks.create_block(caller, id, room_id, body)


@routes.delete("/restaurants/{id}/rooms/{roomId}/blocks/{blockId}", scope="restaurants:write")
async def delete_block(caller: Caller, id: int, room_id: int, block_id: int) -> None:
    """Delete an out-of-order block."""
    await blocks.delete_block(caller, id, room_id, block_id)
