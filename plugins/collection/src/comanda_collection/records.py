"""Records of slots and their rules, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class SlotRules:
    """The rules of one mode.

    ``capacity`` is the number of orders per slot, None for unlimited; ``lead_minutes`` the notice that the store needs.
    Slots can be booked from today to ``horizon_days`` days ahead.
    """

    slot_minutes: int
    capacity: int | None
    lead_minutes: int
    horizon_days: int


@dataclass(frozen=True, slots=True)
class ModeRules:
    """The slot settings of one mode; a ``capacity`` of null means unlimited."""

    mode: str
    slot_minutes: int
    capacity: int | None
    lead_minutes: int
    horizon_days: int


@dataclass(frozen=True, slots=True)
class StoreSlotRules:
    """The slot settings of a store, one entry for each mode with slots."""

    modes: Sequence[ModeRules]


@dataclass(frozen=True, slots=True)
class SlotOccupancy:
    """A slot, its capacity (null for unlimited) and the number of orders it has; ``is_free`` if bookable now."""

    starts_at: datetime
    ends_at: datetime
    is_free: bool
    capacity: int | None
    taken: int


@dataclass(frozen=True, slots=True)
class DaySlots:
    """The slots that begin on one day in the store's time zone, in order, and how full they are."""

    mode: str
    date: date
    timezone: str
    slots: Sequence[SlotOccupancy]
