"""What owners and customers ask of slots: how they are cut, and which are free."""

from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import StoreTerms
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.menu import public_view, snapshot
from comanda.stores.records import find_vertical
from comanda.stores.services import bump_menu_version, require_store

from comanda_collection import booking, rules
from comanda_collection.modes import slot_modes
from comanda_collection.places import Places
from comanda_collection.schemas import SlotSettingsChange, SlotsQuery
from comanda_collection.timetable import Timetable

# How long after its time a slot is remembered, and how far ahead of today a day may be asked for.
KEPT_DAYS = 31
AHEAD_DAYS = 366


async def settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell how a store's slots are cut. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    found = await rules.of_store(caller.owner_id, store_id)
    return {"modes": [{"mode": mode, **asdict(found[mode])} for mode in slot_modes(find_vertical(store["store_type"]))]}


async def change_settings(caller: Caller, store_id: int, change: SlotSettingsChange) -> dict[str, Any]:
    """Change how the slots of one mode are cut; orders keep the times they have.

    Raises ``NotFound``; ``ValidationFailed`` for a mode that the store does not have.
    """
    store = await require_store(caller, store_id)
    _checked(change.mode, slot_modes(find_vertical(store["store_type"])))
    # A capacity of null says any number; elsewhere null says nothing.
    given = change.model_dump(exclude_unset=True, exclude={"mode"})
    columns = {name: value for name, value in given.items() if value is not None or name == "capacity"}
    if columns:
        async with sql.transaction():
            await rules.change(caller.owner_id, store_id, change.mode, columns)
            # Processes keep the slots together with the menu that they price orders from.
            await bump_menu_version(caller.owner_id, store_id)
    return await settings(caller, store_id)


async def slots(caller: Caller, store_id: int, query: SlotsQuery) -> dict[str, Any]:
    """List a day's slots and how full they are. Raises ``NotFound``; ``ValidationFailed`` for another mode or day."""
    store = await require_store(caller, store_id)
    menu = await snapshot.get_snapshot(store_id, store["menu_version"])
    return await _slots(menu.terms, query)


async def public_slots(store_id: int, query: SlotsQuery) -> dict[str, Any]:
    """List a day's slots as customers see them.

    Raises ``NotFound`` for a store that is unknown, unpublished or suspended; ``ValidationFailed`` as ``slots``.
    """
    found = await _slots((await public_view.get_public_menu(store_id)).terms, query)
    shown = ("starts_at", "ends_at", "is_free")
    return {**found, "slots": [{name: slot[name] for name in shown} for slot in found["slots"]]}


async def _slots(terms: StoreTerms, query: SlotsQuery) -> dict[str, Any]:
    by_mode, now = booking.timetables(terms), clock.now()
    mode = _checked(query.mode, tuple(by_mode))
    timetable = by_mode[mode]
    day = _day(timetable, query.date, now)
    listed = timetable.on(day)
    capacity = timetable.rules.capacity
    taken = await Places(terms.owner_id, terms.id, mode, capacity).taken(listed)
    return {
        "mode": mode,
        "date": day,
        "timezone": terms.zone.key,
        "slots": [
            {
                "starts_at": slot.starts_at,
                "ends_at": slot.ends_at,
                "is_free": timetable.is_bookable(slot, now) and (capacity is None or count < capacity),
                "capacity": capacity,
                "taken": count,
            }
            for slot, count in zip(listed, taken, strict=True)
        ],
    }


def _checked(mode: str | None, modes: tuple[str, ...]) -> str:
    """Return the mode asked for, the first if none is. Raises ``ValidationFailed`` where the store has not got it."""
    if not modes:
        raise ValidationFailed(mode=["This store has no mode with slots."])
    if mode is not None and mode not in modes:
        raise ValidationFailed(mode=[f"This store has slots for: {', '.join(modes)}."])
    return mode or modes[0]


def _day(timetable: Timetable, asked: date | None, now: datetime) -> date:
    today = timetable.day(now)
    if asked is None:
        return today
    first, last = today - timedelta(days=KEPT_DAYS), today + timedelta(days=AHEAD_DAYS)
    if not first <= asked <= last:
        raise ValidationFailed(date=[f"Must be a day from {first.isoformat()} to {last.isoformat()}."])
    return asked
