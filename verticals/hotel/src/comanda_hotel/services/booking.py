"""Books stays and changes them: priced, and checked against what is free while nobody else can sell the same room."""

from datetime import datetime, timedelta
from typing import Any

import asyncpg
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores import references
from tortoise.exceptions import IntegrityError

from comanda_hotel.models import Room, RoomType, Stay, StayStatus
from comanda_hotel.schemas.availability import Reason
from comanda_hotel.schemas.stays import StayBody
from comanda_hotel.services import assignment, availability, hotels, mirror, nights, records, room_types, rooms
from comanda_hotel.services.availability import Offer, Wanted
from comanda_hotel.services.hotels import Hotel

HOLD = timedelta(days=1)
LONGEST_HOLD = timedelta(days=60)

REPLAY = "SELECT id, body_hash FROM hotel_stay WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3"

SENTENCES = {
    Reason.NO_ROOMS: "{name} has no rooms.",
    Reason.OUT_OF_ORDER: "{name} is out of order on one of these nights.",
    Reason.SOLD_OUT: "{name} is sold out on one of these nights.",
}


async def book(caller: Caller, store_id: int, body: Unvalidated[StayBody], key: IdempotencyKey) -> IdempotentResult:
    """Book a stay, or return the one that the same key booked before. Emits ``ReservationCreated``, not for a repeat.

    Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a reason when nothing is free.
    """
    hotel = await hotels.find(caller, store_id)
    if (replay := await _replay(caller, hotel, key)) is not None:
        return replay
    wanted = body.validated()
    availability.check_dates(hotel, wanted.check_in, wanted.check_out)
    if wanted.customer_id is not None:
        await references.check_references("customer", "customer_id", hotel.owner_id, hotel.id, [wanted.customer_id])
    try:
        async with sql.transaction():
            of = await _lock_type(hotel, wanted.room_type_id)
            # Another request with the key may have been through while this one waited for the lock.
            if (replay := await _replay(caller, hotel, key)) is not None:
                return replay
            stay_id = await _insert(caller, hotel, of, wanted, key)
    except IntegrityError as error:
        return await _booked_by_another(caller, hotel, key, error)
    return IdempotentResult(await records.stay(caller, store_id, stay_id))


async def offer_of(hotel: Hotel, of: RoomType, wanted: Wanted, but_for: int | None = None) -> Offer:
    """Return the offer of a room type that can be booked; the type is locked.

    Raises ``ValidationFailed`` for a party or a length that it does not take, ``Conflict`` when it is not free.
    """
    (offer,) = await availability.offers(hotel, [of], wanted, but_for)
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
            raise Conflict(SENTENCES[reason].format(name=of.name), extras={"reason": reason})


def hold_until(asked: datetime | None, field: str = "expires_at") -> datetime:
    """Tell until when a stay is held. Raises ``ValidationFailed`` for a time that is over or too far ahead."""
    moment = clock.now()
    until = asked or moment + HOLD
    if not moment < until <= moment + LONGEST_HOLD:
        raise ValidationFailed({field: [f"Must be in the future, and within {LONGEST_HOLD.days} days."]})
    return until


async def _insert(caller: Caller, hotel: Hotel, of: RoomType, body: StayBody, key: IdempotencyKey) -> int:
    offer = await offer_of(hotel, of, Wanted(body.check_in, body.check_out, body.adults, body.children))
    columns = _columns(caller, hotel, offer, body)
    room = await _room(hotel, of, body)
    columns["reservation_id"] = await mirror.add(hotel, columns)
    stay = await Stay.create(
        owner_id=hotel.owner_id,
        store_id=hotel.id,
        room_id=room and room.id,
        idempotency_key=key.text,
        body_hash=key.body_hash if key.text else None,
        **columns,
    )
    if room is not None:
        await nights.give(room, stay.id, body.check_in, body.check_out)
    return int(stay.id)


def _columns(caller: Caller, hotel: Hotel, offer: Offer, body: StayBody) -> dict[str, Any]:
    moment = clock.now()
    is_held = body.status is StayStatus.OPTIONAL
    stage = {} if is_held else {"confirmed_at": moment.isoformat()}
    return {
        "room_type_id": offer.room_type.id,
        "status": body.status,
        **{name: getattr(body, name) for name in ("guest_name", "adults", "children", "check_in", "check_out")},
        **{name: getattr(body, name) or None for name in ("phone", "email", "note")},
        "customer_id": caller.subject_id if caller.kind == "customer" else body.customer_id,
        "expires_at": hold_until(body.expires_at) if is_held else None,
        "currency": hotel.currency,
        "nightly": offer.agreed,
        "total_minor": offer.total_minor,
        "source": body.source or "api",
        "timeline": {"created_at": moment.isoformat(), **stage},
        "created_at": moment,
        "updated_at": moment,
    }


async def _room(hotel: Hotel, of: RoomType, body: StayBody) -> Room | None:
    """Lock the room that the stay is to have. Raises ``ValidationFailed``, ``Conflict``."""
    if body.room_id is None:
        return None
    try:
        room = await rooms.lock(hotel, body.room_id)
    except NotFound as error:
        raise ValidationFailed(room_id=[f"This hotel has no room {body.room_id}."]) from error
    if room.room_type_id != of.id:
        raise ValidationFailed(room_id=[f"Room {room.number} is not one of {of.name}."])
    assignment.must_be_usable(room)
    return room


async def _lock_type(hotel: Hotel, type_id: int) -> RoomType:
    try:
        (of,) = await room_types.lock(hotel, type_id)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {type_id}."]) from error
    if not of.is_active:
        raise ValidationFailed(room_type_id=[f"{of.name} is not for sale."])
    return of


async def _replay(caller: Caller, hotel: Hotel, key: IdempotencyKey) -> IdempotentResult | None:
    if key.text is None:
        return None
    row = await sql.fetch_one(REPLAY, hotel.id, hotel.owner_id, key.text)
    if row is None:
        return None
    record = await records.stay(caller, hotel.id, row["id"])
    return IdempotentResult(record, is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)


async def _booked_by_another(
    caller: Caller, hotel: Hotel, key: IdempotencyKey, error: IntegrityError
) -> IdempotentResult:
    """Return what a request with the same key booked in another room type meanwhile, or raise what stopped this one."""
    cause = error.__cause__
    if isinstance(cause, asyncpg.UniqueViolationError) and cause.constraint_name == "hotel_stay_idempotency":
        replay = await _replay(caller, hotel, key)
        if replay is not None:
            return replay
    raise error
