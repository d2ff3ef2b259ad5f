"""Rooms out of order for some nights."""

from datetime import date, timedelta
from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_hotel.models import RoomBlock
from comanda_hotel.schemas.rooms import BlockBody
from comanda_hotel.services import hotels, nights, room_types, rooms

MAX_NIGHTS = 366

GIVE = """
    INSERT INTO hotel_room_night (owner_id, room_id, night, block_id)
    SELECT $1, $2, night::date, $3 FROM generate_series($4::date, $5::date - 1, interval '1 day') AS night
"""


async def page_of_blocks(caller: Caller, store_id: int, room_id: int, page: PageRequest) -> dict[str, Any]:
    """List a room's blocks, latest first, 20 per page."""
    hotel = await hotels.find(caller, store_id)
    room = await rooms.find(hotel, room_id)
    mine = RoomBlock.filter(room_id=room.id, owner_id=hotel.owner_id)
    rows = await mine.order_by("-starts_on", "-id").limit(page.size()).offset(page.offset())
    return page.envelope([_record(row) for row in rows], await mine.count())


async def add(caller: Caller, store_id: int, room_id: int, body: BlockBody) -> dict[str, Any]:
    """Take a room out of order for some nights.

    Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` for a night that a stay or another block has.
    """
    hotel = await hotels.find(caller, store_id)
    room = await rooms.find(hotel, room_id)
    _check(body, hotel.today())
    async with sql.transaction():
        await room_types.lock(hotel, room.room_type_id)
        await nights.must_be_free(room, body.from_, body.to)
        made = await RoomBlock.create(
            owner_id=hotel.owner_id,
            room_id=room.id,
            starts_on=body.from_,
            ends_on=body.to,
            reason=body.reason or None,
            created_at=clock.now(),
        )
        with nights.refused_by_the_database(room):
            await sql.execute(GIVE, hotel.owner_id, room.id, made.id, body.from_, body.to)
    return _record(made)


@sql.transaction()
async def delete(caller: Caller, store_id: int, room_id: int, block_id: int) -> None:
    """Put a room back in order. Raises ``NotFound``."""
    hotel = await hotels.find(caller, store_id)
    room = await rooms.find(hotel, room_id)
    if not await RoomBlock.filter(id=block_id, room_id=room.id, owner_id=hotel.owner_id).delete():
        raise NotFound


def _check(body: BlockBody, today: date) -> None:
    if body.to <= body.from_:
        raise ValidationFailed(to=["Must be after the first night."])
    if body.from_ < today:
        raise ValidationFailed({"from": ["Must not be in the past."]})
    if body.to - body.from_ > timedelta(days=MAX_NIGHTS):
        raise ValidationFailed(to=[f"A block may be at most {MAX_NIGHTS} nights long."])
    if body.from_ - today > timedelta(days=hotels.HORIZON_DAYS):
        raise ValidationFailed({"from": [f"Must be within {hotels.HORIZON_DAYS} days."]})


def _record(block: RoomBlock) -> dict[str, Any]:
    return {
        "id": block.id,
        "room_id": block.room_id,
        "from": block.starts_on,
        "to": block.ends_on,
        "reason": block.reason,
        "created_at": block.created_at,
    }
