"""The slots of a store, and how many orders each has."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Caller, StoreTerms
from comanda.menu import public_view, snapshot
from comanda.stores import require_store

from comanda_collection.records import DaySlots, SlotOccupancy
from comanda_collection.schemas import SlotsQuery
from comanda_collection.services.slot_bookings import SlotBookings
from comanda_collection.services.slot_rules import get_slot_rules, list_slot_modes
from comanda_collection.services.timetable import Timetable

# The name of the order participant, whose data are held in memory with the store's menu.
PARTICIPANT_NAME = "slots"
# How long slots are kept after their time, and how many days ahead they can be listed.
RETENTION_DAYS = 31
MAX_DAYS_AHEAD = 366

Timetables = Mapping[str, Timetable]


async def load_timetables(terms: StoreTerms) -> Timetables:
    """Return the timetables of a store by mode."""
    rules = await get_slot_rules(terms.owner_id, terms.id)
    return {mode: Timetable(terms.zone, terms.hours, rules[mode]) for mode in list_slot_modes(terms.vertical)}


def get_timetables(terms: StoreTerms) -> Timetables:
    """Return the timetables held in memory for a store; empty if it has no mode with slots."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == PARTICIPANT_NAME)
    return next((part.loaded for part in parts if part.is_loaded), {})


async def list_slots(caller: Caller, store_id: int, query: SlotsQuery) -> DaySlots:
    """List a day's slots and how full they are. Raises ``NotFound``; ``ValidationFailed`` for a wrong mode or day."""
    store = await require_store(caller, store_id)
    menu = await snapshot.get_snapshot(store_id, store["menu_version"])
    return await _list_slots(menu.terms, query)


async def list_public_slots(store_id: int, query: SlotsQuery) -> DaySlots:
    """List a day's slots and how full they are, for customers.

    Raises ``NotFound`` for a store that is unknown, unpublished or suspended; ``ValidationFailed`` like ``list_slots``.
    """
    return await _list_slots((await public_view.get_public_menu(store_id)).terms, query)


def validate_mode(mode: str | None, modes: tuple[str, ...]) -> str:
    """Return the mode, by default the store's first. Raises ``ValidationFailed`` if the store does not have it."""
    if not modes:
        raise ValidationFailed(mode=[Sentence("This store has no mode with slots.")])
    if mode is not None and mode not in modes:
        raise ValidationFailed(mode=[f"This store has slots for: {', '.join(modes)}."])
    return mode or modes[0]


async def _list_slots(terms: StoreTerms, query: SlotsQuery) -> DaySlots:
    timetables, now = get_timetables(terms), clock.now()
    mode = validate_mode(query.mode, tuple(timetables))
    timetable = timetables[mode]
    day = _validate_day(timetable, query.date, now)
    slots = timetable.list_slots(day)
    capacity = timetable.rules.capacity
    counts = await SlotBookings(terms.owner_id, terms.id, mode, capacity).count(slots)
    occupancies = [
        SlotOccupancy(
            starts_at=slot.starts_at,
            ends_at=slot.ends_at,
            is_free=timetable.is_bookable(slot, now) and (capacity is None or count < capacity),
            capacity=capacity,
            taken=count,
        )
        for slot, count in zip(slots, counts, strict=True)
    ]
    return DaySlots(mode, day, terms.zone.key, occupancies)


def _validate_day(timetable: Timetable, day: date | None, now: datetime) -> date:
    today = timetable.to_local_date(now)
    if day is None:
        return today
    first, last = today - timedelta(days=RETENTION_DAYS), today + timedelta(days=MAX_DAYS_AHEAD)
    if not first <= day <= last:
        raise ValidationFailed(
            date=[Sentence("Must be a day from %(first)s to %(last)s.", first=first.isoformat(), last=last.isoformat())]
        )
    return day
