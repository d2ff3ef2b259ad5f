"""Modification of stays: contact, dates, guests and room type, with new prices and availability checks."""

from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import references

from comanda_hotel.models import RoomType, Stay, StayStatus, StoredNightlyPrice
from comanda_hotel.records.stays import StayWithFolio
from comanda_hotel.schemas.stays import StayChange
from comanda_hotel.services import (
    assignment,
    availability,
    hotels,
    rates,
    reservations,
    room_nights,
    room_types,
    rooms,
    stay_records,
    stays,
)
from comanda_hotel.services.availability import MAX_BOOKED_NIGHTS, StayRequest
from comanda_hotel.services.hotels import MAX_DAYS_AHEAD, Hotel
from comanda_hotel.services.stay_creation import get_bookable_offer, get_hold_end

CONTACT_FIELDS = ("guest_name", "phone", "email", "note", "customer_id")
# The maximum length of a stay after all its extensions.
MAX_STAY = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class BookedTerms:
    """What a stay is priced by and checked for availability."""

    room_type_id: int
    check_in: date
    check_out: date
    adults: int
    children: int


BOOKING_FIELDS = tuple(field.name for field in fields(BookedTerms))


async def update_stay(caller: Caller, store_id: int, stay_id: int, body: StayChange) -> StayWithFolio:
    """Update a stay. New dates, guests or room type are checked for availability and priced at today's rates.

    A stay that is over keeps its dates. In house, past nights keep their price; the type changes by moving the room.
    Raises ``NotFound``, ``ValidationFailed``, ``Conflict``.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    if body.customer_id is not None:
        await references.check_references("customer", "customer_id", hotel.owner_id, hotel.id, [body.customer_id])
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        _update_contact(stay, body)
        before = BookedTerms(**{name: getattr(stay, name) for name in BOOKING_FIELDS})
        booked = _apply_change(before, body)
        is_rebooked = booked != before
        if is_rebooked or body.expires_at is not None:
            _check_is_open(stay, body)
            room_type = await _lock_room_type(hotel, stay, booked.room_type_id)
            if body.expires_at is not None:
                await renew_hold(hotel, stay)
                stay.expires_at = get_hold_end(body.expires_at)
            if is_rebooked:
                await _rebook(hotel, stay, room_type, before, booked)
        stay.updated_at = clock.now()
        await stay.save()
        await reservations.update_reservation(hotel, stay)
    return await stay_records.get_stay(caller, store_id, stay_id)


async def renew_hold(hotel: Hotel, stay: Stay) -> None:
    """Lock the room type of a hold; an expired hold needs a room that is free now. Raises ``Conflict``."""
    # Bookings of this room type wait for the lock and then see the renewed hold.
    await room_types.lock_room_types(hotel, stay.room_type_id)
    if stay.status != StayStatus.OPTIONAL or (stay.expires_at is not None and stay.expires_at <= clock.now()):
        await check_still_available(hotel, stay)


async def check_still_available(hotel: Hotel, stay: Stay) -> None:
    """Lock the room type of a stay without a hold and check that a room is free. Raises ``Conflict``."""
    (room_type,) = await room_types.lock_room_types(hotel, stay.room_type_id)
    since = max(stay.check_in, hotel.today())
    if since >= stay.check_out:
        raise Conflict(Sentence("The last night of this stay is over."), extras={"reason": "stay_over"})
    request = StayRequest(since, stay.check_out, stay.adults, stay.children)
    (offer,) = await availability.list_offers(hotel, [room_type], request, stay.id)
    if min(free for _, _, free in offer.nightly) < 1:
        raise Conflict(
            Sentence("%(name)s is sold out on one of these nights.", name=room_type.name), extras={"reason": "sold_out"}
        )


def _update_contact(stay: Stay, body: StayChange) -> None:
    for name in CONTACT_FIELDS:
        if name in body.model_fields_set and not (name == "guest_name" and body.guest_name is None):
            setattr(stay, name, getattr(body, name) or None)


def _apply_change(before: BookedTerms, body: StayChange) -> BookedTerms:
    given = {name: getattr(body, name) for name in BOOKING_FIELDS}
    return replace(before, **{name: value for name, value in given.items() if value is not None})


def _check_is_open(stay: Stay, body: StayChange) -> None:
    if not stays.is_room_reserved(stay.status):
        raise Conflict(f"This stay is {stay.status}. Book a new one.", extras={"reason": "stay_over"})
    if body.expires_at is not None and stay.expires_at is None:
        raise Conflict(f"This stay is {stay.status}. It does not expire.", extras={"reason": "wrong_status"})


async def _rebook(hotel: Hotel, stay: Stay, room_type: RoomType, before: BookedTerms, booked: BookedTerms) -> None:
    stay.update_from_dict(asdict(booked))
    _check_dates(hotel, stay, before)
    await _update_prices(hotel, stay, room_type)
    await _keep_room(hotel, stay, has_moved=room_type.id != before.room_type_id)


async def _lock_room_type(hotel: Hotel, stay: Stay, room_type_id: int) -> RoomType:
    try:
        found = await room_types.lock_room_types(hotel, stay.room_type_id, room_type_id)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {room_type_id}."]) from error
    room_type = next(each for each in found if each.id == room_type_id)
    if room_type.id != stay.room_type_id:
        if stay.status == StayStatus.CHECKED_IN:
            raise Conflict(Sentence("The guests are in house. Move them to a room of that type."))
        if not room_type.is_active:
            raise ValidationFailed(room_type_id=[Sentence("%(name)s is not for sale.", name=room_type.name)])
    return room_type


def _check_dates(hotel: Hotel, stay: Stay, before: BookedTerms) -> None:
    today = hotel.today()
    if stay.check_in != before.check_in:
        if stay.status == StayStatus.CHECKED_IN:
            raise Conflict("The guests have arrived. check_in cannot be changed.")
        availability.check_dates(hotel, stay.check_in, stay.check_out)
    since = max(stay.check_in, today)
    if stay.check_out <= since:
        raise ValidationFailed(check_out=[Sentence("Must be after %(since)s.", since=since)])
    if stay.check_out - since > timedelta(days=MAX_BOOKED_NIGHTS) or stay.check_out - stay.check_in > MAX_STAY:
        raise ValidationFailed(
            check_out=[Sentence("At most %(limit)s nights can be booked at a time.", limit=MAX_BOOKED_NIGHTS)]
        )
    if since - today > timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(check_in=[Sentence("Rooms can be booked %(limit)s days ahead.", limit=MAX_DAYS_AHEAD)])


async def _update_prices(hotel: Hotel, stay: Stay, room_type: RoomType) -> None:
    """Set the nights' prices: today's rates from today on, the agreed prices for past nights."""
    since: date = max(stay.check_in, hotel.today())
    past_nights = await _list_past_nights(hotel, stay, room_type, since)
    request = StayRequest(since, stay.check_out, stay.adults, stay.children)
    offer = await get_bookable_offer(hotel, _remove_min_stay(room_type) if past_nights else room_type, request, stay.id)
    stay.nightly = [*past_nights, *offer.agreed_prices]
    stay.total_minor = sum(night["price_minor"] for night in stay.nightly)


async def _list_past_nights(hotel: Hotel, stay: Stay, room_type: RoomType, until: date) -> list[StoredNightlyPrice]:
    """Return the nights before ``until`` at the agreed prices; nights without one are priced at today's rates."""
    if until <= stay.check_in:
        return []
    agreed = {night["date"]: night["price_minor"] for night in stay.nightly}
    prices = (await rates.load_rates(hotel, [room_type], stay.check_in, until))[room_type.id]
    nights = StayRequest(stay.check_in, until, stay.adults, stay.children).nights
    return [
        StoredNightlyPrice(
            date=night.isoformat(),
            price_minor=agreed.get(night.isoformat(), prices.get_price_minor(room_type, night, stay.adults)),
        )
        for night in nights
    ]


def _remove_min_stay(room_type: RoomType) -> RoomType:
    # Fewer nights may be left than were booked.
    room_type.min_stay = 1
    return room_type


async def _keep_room(hotel: Hotel, stay: Stay, *, has_moved: bool) -> None:
    """Keep the assigned room if it is of the type and free on the new nights. Raises ``Conflict``."""
    if stay.room_id is None:
        return
    if has_moved:
        stay.room_id = None
        await room_nights.release_nights(stay.id, hotel.owner_id)
    else:
        await room_nights.release_nights(stay.id, hotel.owner_id, hotel.today())
        await assignment.assign_remaining_nights(hotel, stay, await rooms.lock_room(hotel, stay.room_id))
