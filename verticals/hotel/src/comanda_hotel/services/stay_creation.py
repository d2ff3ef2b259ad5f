"""Booking of stays, priced and checked for availability under a lock on the room type."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, Unvalidated
from comanda.platform.db import KeyedTable, sql
from comanda.stores import references

from comanda_hotel import models
from comanda_hotel.models import RoomType, Stay, StayStatus
from comanda_hotel.records.stays import StayWithFolio
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

STAY_KEYS = KeyedTable("hotel_stay", "store_id")

REFUSALS = {
    Reason.NO_ROOMS: "{name} has no rooms.",
    Reason.OUT_OF_ORDER: "{name} is out of order on one of these nights.",
    Reason.SOLD_OUT: "{name} is sold out on one of these nights.",
}


@dataclass(frozen=True, slots=True)
class DepositRequest:
    """How much a guest pays in advance, 0 for nothing, and what creates the deposit of the new stay."""

    get_amount_minor: Callable[[RoomOffer], int]
    create: Callable[[Stay, int], Awaitable[None]]


async def create_stay(
    caller: Caller,
    store_id: int,
    body: Unvalidated[StayBody],
    key: IdempotencyKey,
    deposit: DepositRequest | None = None,
) -> IdempotentResult[StayWithFolio]:
    """Book a stay, or return the one booked with the same key. Emits ``ReservationCreated``, not for a replay.

    One with a ``deposit`` is held for as long as that can be paid. Raises ``NotFound``, ``ValidationFailed``;
    ``Conflict`` with a reason if no room is free.
    """
    hotel = await hotels.get_hotel(caller, store_id)

    async def create() -> int:
        stay = body.validated()
        availability.check_dates(hotel, stay.check_in, stay.check_out)
        if stay.customer_id is not None:
            await references.check_references("customer", "customer_id", hotel.owner_id, hotel.id, [stay.customer_id])
        async with sql.transaction():
            room_type = await _lock_room_type(hotel, stay.room_type_id)
            return await _insert_stay(caller, hotel, room_type, stay, key, deposit)

    async def load(stay_id: int) -> StayWithFolio:
        return await stay_records.get_stay(caller, store_id, stay_id)

    return await STAY_KEYS.create_once(hotel.owner_id, hotel.id, key, create, load)


async def get_bookable_offer(
    hotel: Hotel, room_type: RoomType, request: StayRequest, except_stay_id: int | None = None
) -> RoomOffer:
    """Return the offer of a locked room type if it can be booked.

    Raises ``ValidationFailed`` for a party or length of stay that it does not allow, ``Conflict`` if it is sold out.
    """
    (offer,) = await availability.list_offers(hotel, [room_type], request, except_stay_id)
    match offer.reason:
        case None:
            return offer
        case Reason.OCCUPANCY:
            sentence = (
                f"{room_type.name} sleeps at most {room_type.max_adults} adults and {room_type.max_children} children."
            )
            raise ValidationFailed(adults=[sentence], extras={"reason": offer.reason})
        case Reason.MIN_STAY:
            sentence = f"{room_type.name} is sold for {room_type.min_stay} nights or more."
            raise ValidationFailed(check_out=[sentence], extras={"reason": offer.reason})
        case reason:
            raise Conflict(REFUSALS[reason].format(name=room_type.name), extras={"reason": reason})


def get_hold_end(asked: datetime | None, field: str = "expires_at") -> datetime:
    """Return when a hold ends. Raises ``ValidationFailed`` for a time in the past or too far ahead."""
    moment = clock.now()
    until = asked or moment + DEFAULT_HOLD
    if not moment < until <= moment + MAX_HOLD:
        raise ValidationFailed(
            {field: [Sentence("Must be in the future, and within %(days)s days.", days=MAX_HOLD.days)]}
        )
    return until


async def _insert_stay(
    caller: Caller,
    hotel: Hotel,
    room_type: RoomType,
    body: StayBody,
    key: IdempotencyKey,
    deposit: DepositRequest | None,
) -> int:
    offer = await get_bookable_offer(
        hotel, room_type, StayRequest(body.check_in, body.check_out, body.adults, body.children)
    )
    deposit_minor = 0 if deposit is None else deposit.get_amount_minor(offer)
    stay = _build_stay(caller, hotel, offer, body, has_deposit=deposit_minor > 0)
    room = await _lock_room(hotel, room_type, body)
    stay.room_id = room and room.id
    stay.idempotency_key, stay.body_hash = key.text, key.body_hash if key.text else None
    stay.reservation_id = await reservations.create_reservation(hotel, stay)
    await stay.save()
    if room is not None:
        await room_nights.assign_nights(room, stay.id, body.check_in, body.check_out)
    if deposit is not None and deposit_minor:
        await deposit.create(stay, deposit_minor)
    return int(stay.id)


def _build_stay(caller: Caller, hotel: Hotel, offer: RoomOffer, body: StayBody, *, has_deposit: bool) -> Stay:
    """Return the row of a new stay, not saved yet, without a room. Raises ``ValidationFailed``."""
    moment = clock.now()
    status = StayStatus.OPTIONAL if has_deposit else body.status
    stage = {} if status is StayStatus.OPTIONAL else {"confirmed_at": moment.isoformat()}
    return Stay(
        owner_id=hotel.owner_id,
        store_id=hotel.id,
        room_type_id=offer.room_type.id,
        status=status,
        guest_name=body.guest_name,
        phone=body.phone or None,
        email=body.email or None,
        adults=body.adults,
        children=body.children,
        check_in=body.check_in,
        check_out=body.check_out,
        note=body.note or None,
        customer_id=caller.subject_id if caller.acts_for("customer") else body.customer_id,
        # That of a deposit ends with the deposit.
        expires_at=get_hold_end(body.expires_at) if body.status is StayStatus.OPTIONAL else None,
        currency=hotel.currency,
        nightly=offer.agreed_prices,
        total_minor=offer.total_minor,
        source=body.source or "api",
        timeline={"created_at": moment.isoformat(), **stage},
        created_at=moment,
        updated_at=moment,
    )


async def _lock_room(hotel: Hotel, room_type: RoomType, body: StayBody) -> models.Room | None:
    """Return the requested room, locked. Raises ``ValidationFailed``, ``Conflict``."""
    if body.room_id is None:
        return None
    try:
        room = await rooms.lock_room(hotel, body.room_id)
    except NotFound as error:
        raise ValidationFailed(room_id=[f"This hotel has no room {body.room_id}."]) from error
    if room.room_type_id != room_type.id:
        raise ValidationFailed(
            room_id=[Sentence("Room %(number)s is not one of %(name)s.", number=room.number, name=room_type.name)]
        )
    assignment.check_room_usable(room)
    return room


async def _lock_room_type(hotel: Hotel, type_id: int) -> RoomType:
    try:
        (room_type,) = await room_types.lock_room_types(hotel, type_id)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {type_id}."]) from error
    if not room_type.is_active:
        raise ValidationFailed(room_type_id=[Sentence("%(name)s is not for sale.", name=room_type.name)])
    return room_type
