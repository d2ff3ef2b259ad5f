"""The order participant of slots: validates the time of an order, and books, releases and restores its slot."""

from datetime import datetime, timedelta

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Contribution, OrderRequest, PlacedOrder, Problem, Reservation

from comanda_collection.services import slot_errors
from comanda_collection.services.slot_bookings import SlotBookings
from comanda_collection.services.slot_rules import get_slot_rules
from comanda_collection.services.slots import Timetables
from comanda_collection.services.timetable import TimeSlot, Timetable


def validate(request: OrderRequest, timetables: Timetables) -> Contribution | None:
    """Check that the requested time is the start of a bookable slot. An order that is amended keeps its slot."""
    if request.amends is not None:
        return None
    wanted, timetable = request.scheduled_for, timetables[request.body.type]
    error = slot_errors.get_time_error(timetable, wanted, clock.now()) if wanted else None
    return Contribution(problems=[Problem("scheduled_for", error)]) if error else None


async def reserve(request: OrderRequest, timetables: Timetables) -> Reservation:
    """Book the requested slot, or the next free one if no time is requested.

    Raises ``ValidationFailed`` with the ``reason`` ``slot_full``, and with ``next_free_at``, null if there is none.
    """
    timetable, now, wanted = timetables[request.body.type], clock.now(), request.scheduled_for
    terms, capacity = request.terms, timetable.rules.capacity
    bookings = SlotBookings(terms.owner_id, terms.id, request.body.type, capacity)
    candidates = timetable.iter_bookable(now) if wanted is None else [timetable.create_slot(wanted)]
    booked_at = await bookings.claim(candidates)
    if booked_at is None:
        raise await _create_full_error(timetable, bookings, wanted, now)
    return Reservation(scheduled_for=booked_at)


async def release(order: PlacedOrder) -> None:
    """Release the slot of a cancelled order."""
    if order.scheduled_for is not None:
        await SlotBookings(order.owner_id, order.store_id, order.type, None).release(order.scheduled_for)


async def restore(order: PlacedOrder) -> None:
    """Book the slot of a reopened order again, regardless of capacity once its time has come.

    Raises ``ValidationFailed`` if the slot is full.
    """
    if order.scheduled_for is None:
        return
    rules = (await get_slot_rules(order.owner_id, order.store_id))[order.type]
    capacity = None if order.scheduled_for <= clock.now() else rules.capacity
    slot = TimeSlot(order.scheduled_for, order.scheduled_for + timedelta(minutes=rules.slot_minutes))
    if await SlotBookings(order.owner_id, order.store_id, order.type, capacity).claim([slot]) is None:
        raise ValidationFailed(
            status=[Sentence("The order cannot be reopened: its slot has been taken by other orders.")],
            extras={"reason": "slot_full"},
        )


async def _create_full_error(
    timetable: Timetable, bookings: SlotBookings, wanted: datetime | None, now: datetime
) -> ValidationFailed:
    next_free = None if wanted is None else await bookings.find_free(timetable.iter_bookable(now, after=wanted))
    return ValidationFailed(
        scheduled_for=[slot_errors.get_full_error(timetable, wanted, next_free, now)],
        extras={"reason": "slot_full", "next_free_at": next_free},
    )
