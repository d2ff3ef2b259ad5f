"""Books stays and changes them: priced, and checked against what is free while nobody else can sell the same room."""

from datetime import datetime, timedelta
from typing import Any

import asyncpg
from comanda import clock, references
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.http.call import Unvalidated
from comanda.http.repeats import Key, Made
from tortoise.exceptions import IntegrityError

from comanda_hotel.models import Room, RoomType, Stay, StayStatus
from comanda_hotel.schemas.availability import Reason
from comanda_hotel.schemas.stays import StayBody
from comanda_hotel.services import (
    assignment,
    availability,
    hotels,
    reservations,
    room_nights,
    room_types,
    rooms,
    stay_records,
)
from comanda_hotel.services.availability import RoomOffer, StayRequest
from comanda_hotel.services.hotels import Hotel

DEFAULT_HOLD = timedelta(days=1)
MAX_HOLD = timedelta(days=60)

SELECT_STAY_BY_KEY = (
    "SELECT id, body_hash FROM hotel_stay WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3"
)

REFUSALS = {
    Reason.NO_ROOMS: "{name} has no rooms.",
    Reason.OUT_OF_ORDER: "{name} is out of order on one of these nights.",
    Reason.SOLD_OUT: "{name} is sold out on one of these nights.",
}


async def book_stay(caller: Caller, store_id: int, body: Unvalidated[StayBody], key: Key) -> Made:
    """Book a stay, or return the one that the same key booked before. Emits ``ReservationCreated``, not for a repeat.

    Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a reason when nothing is free.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    if (replay := await _find_replay(caller, hotel, key)) is not None:
        return replay
    wanted = body.validated()
    availability.check_dates(hotel, wanted.check_in, wanted.check_out)
    if wanted.customer_id is not None:
        await references.check("customer", "customer_id", hotel.owner_id, hotel.id, [wanted.customer_id])
    try:
        async with sql.transaction():
            of = await _lock_room_type(hotel, wanted.room_type_id)
            # Another request with the key may have been through while this one waited for the lock.
            if (replay := await _find_replay(caller, hotel, key)) is not None:
                return replay
            stay_id = await _insert_stay(caller, hotel, of, wanted, key)
    except IntegrityError as error:
        return await _resolve_conflict(caller, hotel, key, error)
    return Made(await stay_records.get_stay_record(caller, store_id, stay_id))


async def get_bookable_offer(
    hotel: Hotel, of: RoomType, wanted: StayRequest, except_stay_id: int | None = None
) -> RoomOffer:
    """Return the offer of a room type that can be booked; the type is locked.

    Raises ``ValidationFailed`` for a party or a length that it does not take, ``Conflict`` when it is not free.
    """
    (offer,) = await availability.list_offers(hotel, [of], wanted, except_stay_id)
    match offer.reason:
        case None:
            return offer
        case Reason.OCCUPANCY:
            sentence = f"{of.name} takes at most {of.max_adults} adults and {of.max_children} children."
            raise ValidationFailed(adults=[sentence], extras={"reason": offer.reason})
        case Reason.MIN_STAY:
            sentence = f"{of.name} is sold for {of.min_stay} nights or more."
            raise ValidationFailed(check_out=[sentence], extras={"reason": offer.reason})
        case reason:
            raise Conflict(REFUSALS[reason].format(name=of.name), extras={"reason": reason})


def get_hold_end(asked: datetime | None, field: str = "expires_at") -> datetime:
    """Tell until when a stay is held. Raises ``ValidationFailed`` for a time that is over or too far ahead."""
    moment = clock.now()
    until = asked or moment + DEFAULT_HOLD
    if not moment < until <= moment + MAX_HOLD:
        raise ValidationFailed({field: [f"Must be in the future, and within {MAX_HOLD.days} days."]})
    return until


async def _insert_stay(caller: Caller, hotel: Hotel, of: RoomType, body: StayBody, key: Key) -> int:
    offer = await get_bookable_offer(hotel, of, StayRequest(body.check_in, body.check_out, body.adults, body.children))
    columns = _to_columns(caller, hotel, offer, body)
    room = await _lock_room(hotel, of, body)
    columns["reservation_id"] = await reservations.create_reservation(hotel, columns)
    stay = await Stay.create(
        owner_id=hotel.owner_id,
        store_id=hotel.id,
        room_id=room and room.id,
        idempotency_key=key.text,
        body_hash=key.body_hash if key.text else None,
        **columns,
    )
    if room is not None:
        await room_nights.assign_nights(room, stay.id, body.check_in, body.check_out)
    return int(stay.id)


def _to_columns(caller: Caller, hotel: Hotel, offer: RoomOffer, body: StayBody) -> dict[str, Any]:
    moment = clock.now()
    is_held = body.status is StayStatus.OPTIONAL
    stage = {} if is_held else {"confirmed_at": moment.isoformat()}
    return {
        "room_type_id": offer.room_type.id,
        "status": body.status,
        **{name: getattr(body, name) for name in ("guest_name", "adults", "children", "check_in", "check_out")},
        **{name: getattr(body, name) or None for name in ("phone", "email", "note")},
        "customer_id": caller.subject_id if caller.kind == "customer" else body.customer_id,
        "expires_at": get_hold_end(body.expires_at) if is_held else None,
        "currency": hotel.currency,
        "nightly": offer.agreed_prices,
        "total_minor": offer.total_minor,
        "source": body.source or "api",
        "timeline": {"created_at": moment.isoformat(), **stage},
        "created_at": moment,
        "updated_at": moment,
    }


async def _lock_room(hotel: Hotel, of: RoomType, body: StayBody) -> Room | None:
    """Lock the room that the stay is to have. Raises ``ValidationFailed``, ``Conflict``."""
    if body.room_id is None:
        return None
    try:
        room = await rooms.lock_room(hotel, body.room_id)
    except NotFound as error:
        raise ValidationFailed(room_id=[f"This hotel has no room {body.room_id}."]) from error
    if room.room_type_id != of.id:
        raise ValidationFailed(room_id=[f"Room {room.number} is not one of {of.name}."])
    assignment.check_room_usable(room)
    return room


async def _lock_room_type(hotel: Hotel, type_id: int) -> RoomType:
    try:
        (of,) = await room_types.lock_room_types(hotel, type_id)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {type_id}."]) from error
    if not of.is_active:
        raise ValidationFailed(room_type_id=[f"{of.name} is not for sale."])
    return of


async def _find_replay(caller: Caller, hotel: Hotel, key: Key) -> Made | None:
    if key.text is None:
        return None
    row = await sql.fetch_one(SELECT_STAY_BY_KEY, hotel.id, hotel.owner_id, key.text)
    if row is None:
        return None
    record = await stay_records.get_stay_record(caller, hotel.id, row["id"])
    return Made(record, is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)


async def _resolve_conflict(caller: Caller, hotel: Hotel, key: Key, error: IntegrityError) -> Made:
    """Return what a request with the same key booked in another room type meanwhile, or raise what stopped this one."""
    cause = error.__cause__
    if isinstance(cause, asyncpg.UniqueViolationError) and cause.constraint_name == "hotel_stay_idempotency":
        replay = await _find_replay(caller, hotel, key)
        if replay is not None:
            return replay
    raise error
