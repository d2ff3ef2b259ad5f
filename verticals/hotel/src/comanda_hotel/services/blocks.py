"""Blocks: nights on which a room is out of order."""

from datetime import date, timedelta

from comanda.basics import NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_hotel import models
from comanda_hotel.records.rooms import RoomBlock
from comanda_hotel.schemas.rooms import BlockBody
from comanda_hotel.services import hotels, room_nights, room_types, rooms

MAX_BLOCK_NIGHTS = 366

INSERT_BLOCKED_NIGHTS = """
    INSERT INTO hotel_room_night (owner_id, room_id, night, block_id)
    SELECT $1, $2, night::date, $3 FROM generate_series($4::date, $5::date - 1, interval '1 day') AS night
"""


async def list_blocks(caller: Caller, store_id: int, room_id: int, page: PageRequest) -> RecordPage[RoomBlock]:
    """List a room's blocks, latest first, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    room = await rooms.find_room(hotel, room_id)
    mine = models.RoomBlock.filter(room_id=room.id, owner_id=hotel.owner_id)
    rows = await mine.order_by("-starts_on", "-id").limit(page.size()).offset(page.offset())
    return page.of([_to_block(row) for row in rows], await page.get_total(rows, mine.count))


async def create_block(caller: Caller, store_id: int, room_id: int, body: BlockBody) -> RoomBlock:
    """Create a block, taking a room out of order for some nights.

    Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` for a night that is taken by a stay or another block.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    room = await rooms.find_room(hotel, room_id)
    _check_dates(body, hotel.today())
    async with sql.transaction():
        await room_types.lock_room_types(hotel, room.room_type_id)
        await room_nights.check_nights_free(room, body.from_, body.to)
        made = await models.RoomBlock.create(
            owner_id=hotel.owner_id,
            room_id=room.id,
            starts_on=body.from_,
            ends_on=body.to,
            reason=body.reason or None,
            created_at=clock.now(),
        )
        with room_nights.translate_conflict(room):
            await sql.execute(INSERT_BLOCKED_NIGHTS, hotel.owner_id, room.id, made.id, body.from_, body.to)
    return _to_block(made)


@sql.transaction()
async def delete_block(caller: Caller, store_id: int, room_id: int, block_id: int) -> None:
    """Delete a block. Raises ``NotFound``."""
    hotel = await hotels.get_hotel(caller, store_id)
    room = await rooms.find_room(hotel, room_id)
    if not await models.RoomBlock.filter(id=block_id, room_id=room.id, owner_id=hotel.owner_id).delete():
        raise NotFound


def _check_dates(body: BlockBody, today: date) -> None:
    if body.to <= body.from_:
        raise ValidationFailed(to=[Sentence("Must be after the first night.")])
    if body.from_ < today:
        raise ValidationFailed({"from": [Sentence("Must not be in the past.")]})
    if body.to - body.from_ > timedelta(days=MAX_BLOCK_NIGHTS):
        raise ValidationFailed(to=[Sentence("A block may be at most %(limit)s nights long.", limit=MAX_BLOCK_NIGHTS)])
    if body.from_ - today > timedelta(days=hotels.MAX_DAYS_AHEAD):
        raise ValidationFailed({"from": [Sentence("Must be within %(limit)s days.", limit=hotels.MAX_DAYS_AHEAD)]})


def _to_block(row: models.RoomBlock) -> RoomBlock:
    return RoomBlock(row.id, row.room_id, row.starts_on, row.ends_on, row.reason, row.created_at)
