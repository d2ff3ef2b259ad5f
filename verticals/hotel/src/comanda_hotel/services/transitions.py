"""Status transitions of stays. Setting the current status again changes nothing."""

from collections.abc import Awaitable, Callable

from comanda.basics import Conflict, Sentence, clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_hotel.models import Housekeeping, Stay, StayStatus
from comanda_hotel.records.stays import StayWithFolio
from comanda_hotel.schemas.stays import StayStatusBody
from comanda_hotel.services import (
    assignment,
    hotels,
    modifications,
    no_show_fees,
    reservations,
    room_nights,
    stay_records,
    stays,
)
from comanda_hotel.services.hotels import Hotel

# The statuses from which each status may follow; a cancelled stay or no-show may be confirmed again.
ALLOWED_FROM = {
    StayStatus.CONFIRMED: (StayStatus.OPTIONAL, StayStatus.CANCELLED, StayStatus.NO_SHOW),
    StayStatus.CHECKED_IN: (StayStatus.CONFIRMED,),
    StayStatus.CHECKED_OUT: (StayStatus.CHECKED_IN,),
    StayStatus.CANCELLED: (StayStatus.OPTIONAL, StayStatus.CONFIRMED),
    StayStatus.NO_SHOW: (StayStatus.CONFIRMED,),
}


async def update_stay_status(caller: Caller, store_id: int, stay_id: int, body: StayStatusBody) -> StayWithFolio:
    """Update a stay's status and return the stay; its current status changes nothing.

    Emits ``ReservationCancelled`` when it is cancelled. Raises ``NotFound``; ``Conflict`` with a ``reason`` for a
    status that cannot follow, too early or too late, or without a room that is free and ready.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        if stay.status != body.status:
            if stay.status not in ALLOWED_FROM[body.status]:
                raise Conflict(f"This stay is {stay.status}.", extras={"reason": "wrong_status"})
            await TRANSITIONS[body.status](caller, hotel, stay, body)
            await save_status(hotel, stay, body.status, caller.actor)
            if body.status is StayStatus.NO_SHOW:
                await no_show_fees.request_fee(hotel, stay)
    return await stay_records.get_stay(caller, store_id, stay_id)


async def release_room(stay: Stay, by: str | None = None) -> None:
    """Release a stay's room and nights; the caller sets its status."""
    await room_nights.release_nights(stay.id, stay.owner_id)
    stay.room_id = None
    stay.cancelled_by = by


async def save_status(hotel: Hotel, stay: Stay, status: StayStatus, actor: str) -> None:
    """Save a stay with its new status, update its reservation, and settle its deposit."""
    moment = clock.now()
    stay.status = status
    stay.expires_at = None
    stay.timeline = {**stay.timeline, f"{status}_at": moment.isoformat()}
    stay.updated_at = moment
    await assignment.save_stay(stay)
    await reservations.update_reservation(hotel, stay)
    await reservations.settle_deposit(stay, actor)


async def _confirm(caller: Caller, hotel: Hotel, stay: Stay, body: StayStatusBody) -> None:
    """Confirm a stay; if it no longer holds a room, one must still be free. A no-show then owes no fee."""
    await modifications.renew_hold(hotel, stay)
    stay.cancelled_by = None
    if stay.status == StayStatus.NO_SHOW:
        await no_show_fees.withdraw_fee(stay)


async def _check_in(caller: Caller, hotel: Hotel, stay: Stay, body: StayStatusBody) -> None:
    """Check guests in to the requested room, the assigned one, or a free one that is clean."""
    today = hotel.today()
    _check_has_begun(hotel, stay)
    if today >= stay.check_out:
        raise Conflict(Sentence("The last night of this stay is over."), extras={"reason": "stay_over"})
    room_id = body.room_id or stay.room_id or await assignment.choose_room(hotel, stay)
    room = await assignment.assign_room(hotel, stay, room_id)
    await assignment.check_room_empty(room, stay)
    if room.status == Housekeeping.DIRTY and not body.allow_dirty:
        raise Conflict(
            Sentence("Room %(number)s has yet to be cleaned.", number=room.number), extras={"reason": "room_not_clean"}
        )


async def _check_out(caller: Caller, hotel: Hotel, stay: Stay, body: StayStatusBody) -> None:
    """Check guests out. Nights from today on are released and only charged if the hotel says so."""
    today = hotel.today()
    stay.departed_on = today
    await room_nights.release_nights(stay.id, stay.owner_id, today)
    if not body.charge_unused_nights:
        # A stay that ends on its day of arrival is charged for one night.
        stay.nightly = [night for night in stay.nightly if night["date"] < today.isoformat()] or stay.nightly[:1]
        stay.total_minor = sum(night["price_minor"] for night in stay.nightly)
    if stay.room_id is not None:
        await assignment.set_room_dirty(hotel, stay.room_id)


async def _cancel(caller: Caller, hotel: Hotel, stay: Stay, body: StayStatusBody) -> None:
    await release_room(stay, "customer" if caller.acts_for("customer") else "store")


async def _mark_no_show(caller: Caller, hotel: Hotel, stay: Stay, body: StayStatusBody) -> None:
    _check_has_begun(hotel, stay)
    await release_room(stay)


def _check_has_begun(hotel: Hotel, stay: Stay) -> None:
    if hotel.today() < stay.check_in:
        raise Conflict(
            Sentence("These guests arrive on %(check_in)s.", check_in=stay.check_in), extras={"reason": "too_early"}
        )


TRANSITIONS: dict[StayStatus, Callable[[Caller, Hotel, Stay, StayStatusBody], Awaitable[None]]] = {
    StayStatus.CONFIRMED: _confirm,
    StayStatus.CHECKED_IN: _check_in,
    StayStatus.CHECKED_OUT: _check_out,
    StayStatus.CANCELLED: _cancel,
    StayStatus.NO_SHOW: _mark_no_show,
}
