"""The part that slots take in an order: its time is checked, its place is taken, given back and taken again."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder, StoreTerms
from comanda.errors import ValidationFailed

from comanda_collection import refusals, rules
from comanda_collection.modes import slot_modes
from comanda_collection.places import Places
from comanda_collection.timetable import Slot, Timetable

NAME = "slots"

Timetables = Mapping[str, Timetable]


async def load(terms: StoreTerms) -> Timetables:
    """Read the slots of a store, mode by mode."""
    found = await rules.of_store(terms.owner_id, terms.id)
    return {mode: Timetable(terms.zone, terms.hours, found[mode]) for mode in slot_modes(terms.vertical)}


def timetables(terms: StoreTerms) -> Timetables:
    """Return what ``load`` found for a store; empty for one that has no mode with slots."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == NAME)
    return next((part.loaded for part in parts), {})


def validate(incoming: OrderRequest) -> Errors:
    """Refuse a time that is not the start of a slot that may be taken."""
    wanted = incoming.scheduled_for
    sentence = refusals.fault(_timetable(incoming), wanted, clock.now()) if wanted else None
    return {"scheduled_for": [sentence]} if sentence else {}


async def reserve(incoming: OrderRequest) -> None:
    """Take a place in the slot that the order asks for, else in the next that has one.

    Raises ``ValidationFailed`` with the ``reason`` ``slot_full``, and with ``next_free_at``, null if there is none.
    """
    timetable, now, wanted = _timetable(incoming), clock.now(), incoming.scheduled_for
    terms, capacity = incoming.terms, timetable.rules.capacity
    places = Places(terms.owner_id, terms.id, incoming.body.type, capacity)
    taken_at = await places.take(timetable.bookable(now) if wanted is None else [timetable.slot_from(wanted)])
    if taken_at is None:
        raise await _full(timetable, places, wanted, now)
    incoming.scheduled_for = taken_at


async def cancelled(order: PlacedOrder) -> None:
    """Give the place of a cancelled order back."""
    if order.scheduled_for is not None:
        await Places(order.owner_id, order.store_id, order.type, None).give_back(order.scheduled_for)


async def reopened(order: PlacedOrder) -> None:
    """Take the place of an order again that is not cancelled any more, with no regard to room once its time has come.

    Raises ``ValidationFailed`` when others have taken it.
    """
    if order.scheduled_for is None:
        return
    found = (await rules.of_store(order.owner_id, order.store_id))[order.type]
    is_over = order.scheduled_for <= clock.now()
    places = Places(order.owner_id, order.store_id, order.type, None if is_over else found.capacity)
    slot = Slot(order.scheduled_for, order.scheduled_for + timedelta(minutes=found.slot_minutes))
    if await places.take([slot]) is None:
        raise ValidationFailed(
            status=["Others have taken this order's slot since, so it cannot be reopened."],
            extras={"reason": "slot_full"},
        )


async def _full(timetable: Timetable, places: Places, wanted: datetime | None, now: datetime) -> ValidationFailed:
    next_free = None if wanted is None else await places.find(timetable.bookable(now, after=wanted))
    return ValidationFailed(
        scheduled_for=[refusals.full(timetable, wanted, next_free, now)],
        extras={"reason": "slot_full", "next_free_at": next_free},
    )


def _timetable(incoming: OrderRequest) -> Timetable:
    loaded: Timetables = incoming.loaded
    return loaded[incoming.body.type]
