"""Changes stays: contact, dates, guests, room type. What is changed is priced and checked again."""

from datetime import date, timedelta
from typing import Any

from comanda import clock, references
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed

from comanda_hotel.models import RoomType, Stay, StayStatus
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
from comanda_hotel.services.bookings import get_bookable_offer, get_hold_end
from comanda_hotel.services.hotels import MAX_DAYS_AHEAD, Hotel

BOOKING_FIELDS = ("room_type_id", "check_in", "check_out", "adults", "children")
CONTACT_FIELDS = ("guest_name", "phone", "email", "note", "customer_id")
# The longest that a stay may grow to, extension by extension.
MAX_STAY = timedelta(days=365)


async def update_stay(caller: Caller, store_id: int, stay_id: int, body: StayChange) -> dict[str, Any]:
    """Change a stay. Dates, guests and room type are checked against what is free and priced at today's rates.

    A stay that is over keeps them. In house, nights that have begun keep their price; the type changes by moving room.
    Raises ``NotFound``, ``ValidationFailed``, ``Conflict``.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    if body.customer_id is not None:
        await references.check("customer", "customer_id", hotel.owner_id, hotel.id, [body.customer_id])
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        given = body.model_dump(exclude_unset=True)
        _update_contact(stay, given)
        booked = {name: given[name] for name in BOOKING_FIELDS if given.get(name) is not None}
        is_rebooked = any(getattr(stay, name) != value for name, value in booked.items())
        if is_rebooked or body.expires_at is not None:
            _check_is_open(stay, body)
            of = await _lock_room_types(hotel, stay, booked)
            if body.expires_at is not None:
                await renew_hold(hotel, stay)
                stay.expires_at = get_hold_end(body.expires_at)
            if is_rebooked:
                await _rebook(hotel, stay, of, booked)
        stay.updated_at = clock.now()
        await stay.save()
        await reservations.update_reservation(hotel, stay)
    return await stay_records.get_stay_record(caller, store_id, stay_id)


async def renew_hold(hotel: Hotel, stay: Stay) -> None:
    """Let a hold last: one whose time is over needs a room that is free now. Raises ``Conflict``."""
    # Whoever sells the type waits from here on, and sees the hold as it will be.
    await room_types.lock_room_types(hotel, stay.room_type_id)
    if stay.expires_at is None or stay.expires_at <= clock.now():
        await check_still_available(hotel, stay)


async def check_still_available(hotel: Hotel, stay: Stay) -> None:
    """Lock the type of a stay that holds no room, and make sure that one is free. Raises ``Conflict``."""
    (of,) = await room_types.lock_room_types(hotel, stay.room_type_id)
    since = max(stay.check_in, hotel.today())
    if since >= stay.check_out:
        raise Conflict("The last night of this stay is over.", extras={"reason": "stay_over"})
    wanted = StayRequest(since, stay.check_out, stay.adults, stay.children)
    (offer,) = await availability.list_offers(hotel, [of], wanted, stay.id)
    if min(free for _, _, free in offer.nightly) < 1:
        raise Conflict(f"{of.name} is sold out on one of these nights.", extras={"reason": "sold_out"})


def _update_contact(stay: Stay, given: dict[str, Any]) -> None:
    for name in CONTACT_FIELDS:
        if name in given and not (name == "guest_name" and given[name] is None):
            setattr(stay, name, given[name] or None)


def _check_is_open(stay: Stay, body: StayChange) -> None:
    if not stays.takes_room(stay.status):
        raise Conflict(f"This stay is {stay.status}: book another one.", extras={"reason": "stay_over"})
    if body.expires_at is not None and stay.status != StayStatus.OPTIONAL:
        raise Conflict(f"This stay is {stay.status}: it does not expire.", extras={"reason": "wrong_status"})


async def _rebook(hotel: Hotel, stay: Stay, of: RoomType, booked: dict[str, Any]) -> None:
    before = {name: getattr(stay, name) for name in BOOKING_FIELDS}
    stay.update_from_dict(booked)
    _check_dates(hotel, stay, before)
    await _update_prices(hotel, stay, of)
    await _keep_room(hotel, stay, has_moved=of.id != before["room_type_id"])


async def _lock_room_types(hotel: Hotel, stay: Stay, booked: dict[str, Any]) -> RoomType:
    wanted = booked.get("room_type_id", stay.room_type_id)
    try:
        found = await room_types.lock_room_types(hotel, stay.room_type_id, wanted)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {wanted}."]) from error
    of = next(one for one in found if one.id == wanted)
    if of.id != stay.room_type_id:
        if stay.status == StayStatus.CHECKED_IN:
            raise Conflict("The guests are in house: move them to a room of that type.")
        if not of.is_active:
            raise ValidationFailed(room_type_id=[f"{of.name} is not for sale."])
    return of


def _check_dates(hotel: Hotel, stay: Stay, before: dict[str, Any]) -> None:
    today = hotel.today()
    if stay.check_in != before["check_in"]:
        if stay.status == StayStatus.CHECKED_IN:
            raise Conflict("The guests have arrived, so check_in stays.")
        availability.check_dates(hotel, stay.check_in, stay.check_out)
    since = max(stay.check_in, today)
    if stay.check_out <= since:
        raise ValidationFailed(check_out=[f"Must be after {since}."])
    if stay.check_out - since > timedelta(days=MAX_BOOKED_NIGHTS) or stay.check_out - stay.check_in > MAX_STAY:
        raise ValidationFailed(check_out=[f"At most {MAX_BOOKED_NIGHTS} nights can be booked at a time."])
    if since - today > timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(check_in=[f"Rooms can be booked {MAX_DAYS_AHEAD} days ahead."])


async def _update_prices(hotel: Hotel, stay: Stay, of: RoomType) -> None:
    """Set the nights' prices: today's rates from today on, what was agreed for nights that have begun."""
    since: date = max(stay.check_in, hotel.today())
    begun = await _list_past_nights(hotel, stay, of, since)
    wanted = StayRequest(since, stay.check_out, stay.adults, stay.children)
    offer = await get_bookable_offer(hotel, _remove_min_stay(of) if begun else of, wanted, stay.id)
    stay.nightly = [*begun, *offer.agreed_prices]
    stay.total_minor = sum(night["price_minor"] for night in stay.nightly)


async def _list_past_nights(hotel: Hotel, stay: Stay, of: RoomType, until: date) -> list[dict[str, Any]]:
    """Return the nights before ``until`` as agreed; those that guests stayed on without asking cost today's rates."""
    if until <= stay.check_in:
        return []
    agreed = {night["date"]: night["price_minor"] for night in stay.nightly}
    prices = (await rates.load_rates(hotel, [of], stay.check_in, until))[of.id]
    past = StayRequest(stay.check_in, until, stay.adults, stay.children).nights
    return [
        {
            "date": night.isoformat(),
            "price_minor": agreed.get(night.isoformat(), prices.price(of, night, stay.adults)),
        }
        for night in past
    ]


def _remove_min_stay(of: RoomType) -> RoomType:
    # The nights that are left may be fewer than were booked.
    of.min_stay = 1
    return of


async def _keep_room(hotel: Hotel, stay: Stay, *, has_moved: bool) -> None:
    """Keep the room that was assigned, if it is of the type and free on the new nights. Raises ``Conflict``."""
    if stay.room_id is None:
        return
    if has_moved:
        stay.room_id = None
        await room_nights.release_nights(stay.id, hotel.owner_id)
    else:
        await room_nights.release_nights(stay.id, hotel.owner_id, hotel.today())
        await assignment.assign_remaining_nights(hotel, stay, await rooms.lock_room(hotel, stay.room_id))
