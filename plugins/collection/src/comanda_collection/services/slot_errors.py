"""Error messages for requested times, which suggest times that can be booked."""

from datetime import datetime

from comanda_collection.services.timetable import TimeSlot, Timetable


def get_time_error(timetable: Timetable, wanted: datetime, now: datetime) -> str | None:
    """Return why a time cannot be booked, regardless of capacity; None for the start of a bookable slot."""
    if wanted < timetable.get_earliest(now):
        return _get_too_soon_error(timetable, wanted, now)
    if timetable.is_after_horizon(wanted, now):
        return f"Slots can be booked up to {timetable.get_last_day(now).isoformat()}."
    if timetable.find_slot(wanted) is not None:
        return None
    nearest = _format_nearest(timetable, timetable.list_nearest(wanted, now))
    if timetable.is_open(wanted):
        return f"No slot begins at that time. {nearest}"
    return f"The store is closed at that time. {nearest}"


def get_full_error(timetable: Timetable, wanted: datetime | None, next_free: datetime | None, now: datetime) -> str:
    """Return that the requested slot is full, and the next free one; or that no slot is free if none was requested."""
    if wanted is None:
        return f"No slot is free up to {timetable.get_last_day(now).isoformat()}."
    suggestion = (
        f"The next free slot is {timetable.format_local(next_free)}." if next_free else "No later slot is free."
    )
    return f"The slot at {timetable.format_local(wanted)} is full. {suggestion}"


def _get_too_soon_error(timetable: Timetable, wanted: datetime, now: datetime) -> str:
    first = next(timetable.iter_bookable(now), None)
    suggestion = (
        f"The first slot that can be booked is {timetable.format_local(first.starts_at)}."
        if first
        else "No slot is available."
    )
    if wanted <= now:
        return f"This time has passed. {suggestion}"
    return f"The store needs {timetable.rules.lead_minutes} minutes' notice. {suggestion}"


def _format_nearest(timetable: Timetable, slots: list[TimeSlot]) -> str:
    times = " and ".join(timetable.format_local(slot.starts_at) for slot in slots)
    match len(slots):
        case 0:
            return "No slot is available."
        case 1:
            return f"The nearest slot is {times}."
        case _:
            return f"The nearest slots are {times}."
