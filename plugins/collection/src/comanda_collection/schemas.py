"""Slots and their settings on the wire."""

from datetime import date, datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, Count, example
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field

SlotMode = Literal["pickup_slot", "appointment"]
SlotMinutes = Annotated[Count, Field(ge=5, le=480, description="The length of a slot.")]
Capacity = Annotated[Count, Field(ge=1, le=10_000, description="The number of orders per slot; null for unlimited.")]
LeadMinutes = Annotated[Count, Field(le=90 * 24 * 60, description="The notice that the store needs, in minutes.")]
HorizonDays = Annotated[Count, Field(ge=1, le=90, description="How many days ahead slots can be booked.")]


class SlotSettingsChange(Body):
    """New slot settings of one mode. Omitted fields stay as they are, and so do other modes."""

    model_config = example({"mode": "pickup_slot", "slot_minutes": 30, "capacity": 4})

    mode: SlotMode
    slot_minutes: SlotMinutes | None = None
    capacity: Capacity | None = None
    lead_minutes: LeadMinutes | None = None
    horizon_days: HorizonDays | None = None


class ModeSettings(BaseModel):
    """The slot settings of one mode; a ``capacity`` of null means unlimited."""

    mode: str
    slot_minutes: int
    capacity: int | None
    lead_minutes: int
    horizon_days: int


class SlotSettingsOut(BaseModel):
    """The slot settings of a store, one entry for each mode with slots."""

    modes: list[ModeSettings]


class SlotsQuery(BaseModel):
    """The mode and day of the slots to list; by default the store's first mode with slots, and today."""

    mode: SlotMode | None = None
    date: LocalDate | None = None


class PublicSlot(BaseModel):
    """A slot as customers see it. ``is_free`` if it can be booked now."""

    starts_at: datetime
    ends_at: datetime
    is_free: bool


class SlotOut(PublicSlot):
    """A slot, its capacity (null for unlimited) and the number of orders it has."""

    capacity: int | None
    taken: int


class PublicSlots(BaseModel):
    """The slots that begin on one day in the store's time zone, in order."""

    mode: str
    date: date
    timezone: str
    slots: list[PublicSlot]


class SlotsOut(BaseModel):
    """The slots that begin on one day in the store's time zone, in order, and how full they are."""

    mode: str
    date: date
    timezone: str
    slots: list[SlotOut]
