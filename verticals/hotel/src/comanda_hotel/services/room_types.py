"""Room types, which guests book."""

from collections.abc import Sequence

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_hotel import models
from comanda_hotel.models import Room, Stay
from comanda_hotel.records.rooms import RoomType
from comanda_hotel.schemas.rooms import RoomTypeBody, RoomTypeChange
from comanda_hotel.services import hotels
from comanda_hotel.services.hotels import Hotel

PRICE_COLUMNS = {"base_price": "base_price_minor", "extra_adult_price": "extra_adult_minor"}

COUNT_ROOMS_BY_TYPE = """
    SELECT room_type_id, count(*) AS rooms FROM hotel_room
    WHERE room_type_id = ANY ($1) AND owner_id = $2 AND is_active GROUP BY 1
"""


async def list_room_types(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[RoomType]:
    """List a hotel's room types in display order, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    mine = models.RoomType.filter(store_id=hotel.id, owner_id=hotel.owner_id)
    rows = await mine.order_by("position", "id").limit(page.size()).offset(page.offset())
    return page.of(await _to_room_types(hotel, rows), await page.get_total(rows, mine.count))


async def get_room_type(caller: Caller, store_id: int, type_id: int) -> RoomType:
    """Return a room type. Raises ``NotFound``."""
    hotel = await hotels.get_hotel(caller, store_id)
    return await _to_room_type(hotel, await find_room_type(hotel, type_id))


@sql.transaction()
async def create_room_type(caller: Caller, store_id: int, body: RoomTypeBody) -> RoomType:
    """Create a room type. Raises ``ValidationFailed``."""
    hotel = await hotels.get_hotel(caller, store_id)
    row = models.RoomType(owner_id=hotel.owner_id, store_id=hotel.id, base_adults=body.max_adults)
    _set_columns(hotel, row, body)
    _check_adults(row.base_adults, row.max_adults)
    await row.save()
    return await _to_room_type(hotel, row)


async def update_room_type(caller: Caller, store_id: int, type_id: int, body: RoomTypeChange) -> RoomType:
    """Update a room type; existing stays keep their prices. Raises ``NotFound``, ``ValidationFailed``."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        found = (await lock_room_types(hotel, type_id))[0]
        columns = _set_columns(hotel, found, body)
        _check_adults(found.base_adults, found.max_adults)
        if columns:
            await found.save(update_fields=columns)
    return await _to_room_type(hotel, found)


async def delete_room_type(caller: Caller, store_id: int, type_id: int) -> None:
    """Delete a room type and its rates. Raises ``Conflict`` if it has rooms or was ever booked."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        found = (await lock_room_types(hotel, type_id))[0]
        if rooms := await Room.filter(room_type_id=found.id, owner_id=hotel.owner_id).count():
            raise Conflict(
                Sentence("This room type still has rooms."), extras={"reason": "has_rooms", "rooms_count": rooms}
            )
        if await Stay.exists(room_type_id=found.id, owner_id=hotel.owner_id):
            raise Conflict("Stays were booked in this room type. Set is_active to false instead.",
                           extras={"reason": "has_stays"})  # fmt: skip
        await found.delete()


async def find_room_type(hotel: Hotel, type_id: int) -> models.RoomType:
    """Return a room type of the hotel. Raises ``NotFound``."""
    return require_found(await models.RoomType.get_or_none(id=type_id, store_id=hotel.id, owner_id=hotel.owner_id))


async def lock_room_types(hotel: Hotel, *type_ids: int) -> list[models.RoomType]:
    """Lock room types until the open transaction ends, in the order of their ids; every sale of a room takes this lock.

    Returns them in the order of their ids. Raises ``NotFound`` if one is not the hotel's.
    """
    ids = sorted(set(type_ids))
    found = (
        await models.RoomType.select_for_update(no_key=True)
        .filter(id__in=ids, store_id=hotel.id, owner_id=hotel.owner_id)
        .order_by("id")
    )
    if len(found) != len(ids):
        raise NotFound
    return found


def _set_columns(hotel: Hotel, row: models.RoomType, body: RoomTypeBody | RoomTypeChange) -> list[str]:
    """Set the columns of the given fields and return their names. Raises ``ValidationFailed``."""
    columns: list[str] = []
    for name in type(body).model_fields:
        value, column = getattr(body, name), PRICE_COLUMNS.get(name, name)
        if name == "description" and name in body.model_fields_set:
            value = value or None
        elif value is None:
            continue
        setattr(row, column, hotel.to_minor(name, value) if name in PRICE_COLUMNS else value)
        columns.append(column)
    return columns


def _check_adults(base: int, most: int) -> None:
    if base > most:
        raise ValidationFailed(
            base_adults=[
                Sentence("The price cannot include %(base)s adults where %(most)s may stay.", base=base, most=most)
            ]
        )


async def _to_room_type(hotel: Hotel, row: models.RoomType) -> RoomType:
    return (await _to_room_types(hotel, [row]))[0]


async def _to_room_types(hotel: Hotel, rows: Sequence[models.RoomType]) -> list[RoomType]:
    counts = await sql.fetch(COUNT_ROOMS_BY_TYPE, [row.id for row in rows], hotel.owner_id)
    rooms = {count["room_type_id"]: count["rooms"] for count in counts}
    return [
        extend_record(
            RoomType,
            row,
            base_price=hotel.to_money(row.base_price_minor),
            extra_adult_price=hotel.to_money(row.extra_adult_minor),
            currency=hotel.currency,
            rooms_count=rooms.get(row.id, 0),
        )
        for row in rows
    ]
