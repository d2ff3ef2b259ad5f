"""Room types, which guests book."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed

from comanda_hotel.models import Room, RoomType, Stay
from comanda_hotel.schemas.rooms import RoomTypeBody, RoomTypeChange
from comanda_hotel.services import hotels
from comanda_hotel.services.hotels import Hotel

PRICE_COLUMNS = {"base_price": "base_price_minor", "extra_adult_price": "extra_adult_minor"}

COUNT_ROOMS_BY_TYPE = """
    SELECT room_type_id, count(*) AS rooms FROM hotel_room
    WHERE room_type_id = ANY ($1) AND owner_id = $2 AND is_active GROUP BY 1
"""


async def list_room_types(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a hotel's room types in display order, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    mine = RoomType.filter(store_id=hotel.id, owner_id=hotel.owner_id)
    rows = await mine.order_by("position", "id").limit(page.size()).offset(page.offset())
    return page.envelope(await _list_records(hotel, rows), await mine.count())


async def get_room_type(caller: Caller, store_id: int, type_id: int) -> dict[str, Any]:
    """Return a room type's record. Raises ``NotFound``."""
    hotel = await hotels.get_hotel(caller, store_id)
    return await _get_record(hotel, await find_room_type(hotel, type_id))


@sql.transaction()
async def create_room_type(caller: Caller, store_id: int, body: RoomTypeBody) -> dict[str, Any]:
    """Create a room type. Raises ``ValidationFailed``."""
    hotel = await hotels.get_hotel(caller, store_id)
    columns = _to_columns(hotel, body)
    columns.setdefault("base_adults", body.max_adults)
    _check_adults(columns["base_adults"], body.max_adults)
    return await _get_record(hotel, await RoomType.create(owner_id=hotel.owner_id, store_id=hotel.id, **columns))


async def update_room_type(caller: Caller, store_id: int, type_id: int, body: RoomTypeChange) -> dict[str, Any]:
    """Update a room type; existing stays keep their prices. Raises ``NotFound``, ``ValidationFailed``."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        found = (await lock_room_types(hotel, type_id))[0]
        columns = _to_columns(hotel, body)
        found.update_from_dict(columns)
        _check_adults(found.base_adults, found.max_adults)
        if columns:
            await found.save(update_fields=list(columns))
    return await _get_record(hotel, found)


async def delete_room_type(caller: Caller, store_id: int, type_id: int) -> None:
    """Delete a room type and its rates. Raises ``Conflict`` if it has rooms or was ever booked."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        found = (await lock_room_types(hotel, type_id))[0]
        if rooms := await Room.filter(room_type_id=found.id, owner_id=hotel.owner_id).count():
            raise Conflict("This room type still has rooms.", extras={"reason": "has_rooms", "rooms_count": rooms})
        if await Stay.exists(room_type_id=found.id, owner_id=hotel.owner_id):
            raise Conflict("Stays were booked in this room type. Set is_active to false instead.",
                           extras={"reason": "has_stays"})  # fmt: skip
        await found.delete()


async def find_room_type(hotel: Hotel, type_id: int) -> RoomType:
    """Return a room type of the hotel. Raises ``NotFound``."""
    found = await RoomType.get_or_none(id=type_id, store_id=hotel.id, owner_id=hotel.owner_id)
    if found is None:
        raise NotFound
    return found


async def lock_room_types(hotel: Hotel, *type_ids: int) -> list[RoomType]:
    """Lock room types until the open transaction ends, in the order of their ids; every sale of a room takes this lock.

    Returns them in the order of their ids. Raises ``NotFound`` if one is not the hotel's.
    """
    ids = sorted(set(type_ids))
    found = (
        await RoomType.select_for_update(no_key=True)
        .filter(id__in=ids, store_id=hotel.id, owner_id=hotel.owner_id)
        .order_by("id")
    )
    if len(found) != len(ids):
        raise NotFound
    return found


def _to_columns(hotel: Hotel, body: RoomTypeBody | RoomTypeChange) -> dict[str, Any]:
    given = {**body.model_dump(exclude_unset=isinstance(body, RoomTypeChange))}
    columns: dict[str, Any] = {}
    for name, value in given.items():
        if name == "description":
            columns[name] = value or None
        elif value is not None:
            columns[PRICE_COLUMNS.get(name, name)] = hotel.to_minor(name, value) if name in PRICE_COLUMNS else value
    return columns


def _check_adults(base: int, most: int) -> None:
    if base > most:
        raise ValidationFailed(base_adults=[f"The price cannot include {base} adults where {most} may stay."])


async def _get_record(hotel: Hotel, found: RoomType) -> dict[str, Any]:
    return (await _list_records(hotel, [found]))[0]


async def _list_records(hotel: Hotel, found: list[RoomType]) -> list[dict[str, Any]]:
    rows = await sql.fetch(COUNT_ROOMS_BY_TYPE, [room_type.id for room_type in found], hotel.owner_id)
    rooms = {row["room_type_id"]: row["rooms"] for row in rows}
    same = ("id", "name", "description", "max_adults", "max_children", "base_adults", "min_stay",
            "overbooking_allowance", "position", "is_active")  # fmt: skip
    return [
        {
            **{name: getattr(room_type, name) for name in same},
            "base_price": hotel.to_number(room_type.base_price_minor),
            "extra_adult_price": hotel.to_number(room_type.extra_adult_minor),
            "currency": hotel.currency,
            "rooms_count": rooms.get(room_type.id, 0),
        }
        for room_type in found
    ]
