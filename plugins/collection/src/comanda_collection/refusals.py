"""What is wrong with a time that an order asks for, in sentences that say what would do."""

from datetime import datetime

from comanda_collection.timetable import Slot, Timetable


def fault(timetable: Timetable, wanted: datetime, now: datetime) -> str | None:
    """Say why a time cannot be had, whoever else wants it; None for the start of a slot that may be taken."""
    if wanted < timetable.earliest(now):
        return _too_soon(timetable, wanted, now)
    if timetable.is_beyond(wanted, now):
        return f"Slots can be taken up to {timetable.last_day(now).isoformat()}."
    if timetable.slot_at(wanted) is not None:
        return None
    nearest = _named(timetable, timetable.nearest(wanted, now))
    if timetable.is_open(wanted):
        return f"No slot begins at that time. {nearest}"
    return f"The store is closed at that time. {nearest}"


def full(timetable: Timetable, wanted: datetime | None, next_free: datetime | None, now: datetime) -> str:
    """Say that a slot has no room, and which is the next that has; or that none has, where none was named."""
    if wanted is None:
        return f"No slot is free up to {timetable.last_day(now).isoformat()}."
    found = f"The next free one is {timetable.local(next_free)}." if next_free else "No later one is free."
    return f"The slot at {timetable.local(wanted)} is full. {found}"


def _too_soon(timetable: Timetable, wanted: datetime, now: datetime) -> str:
    first = next(timetable.bookable(now), None)
    offer = f"The first slot that can be taken is {timetable.local(first.starts_at)}." if first else "There is no slot."
    if wanted <= now:
        return f"This time has passed. {offer}"
    return f"The store needs {timetable.rules.lead_minutes} minutes' notice. {offer}"


def _named(timetable: Timetable, slots: list[Slot]) -> str:
    times = " and ".join(timetable.local(slot.starts_at) for slot in slots)
    match len(slots):
        case 0:
            return "There is no slot."
        case 1:
            return f"The nearest slot is {times}."
        case _:
            return f"The nearest slots are {times}."
