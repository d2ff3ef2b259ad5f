"""Slots and their settings on the wire."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, Count, example
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field

SlotMode = Literal["pickup_slot", "appointment"]
SlotMinutes = Annotated[Count, Field(ge=5, le=480, description="How long a slot is.")]
Capacity = Annotated[Count, Field(ge=1, le=10_000, description="How many orders a slot takes; null for any number.")]
LeadMinutes = Annotated[Count, Field(le=90 * 24 * 60, description="The notice that the store needs.")]
HorizonDays = Annotated[Count, Field(ge=1, le=90, description="How many days after today slots can be taken.")]


class SlotSettingsChange(Body):
    """How to cut and give away the slots of one mode; fields left out stay as they are, and so do others' slots."""

    model_config = example({"mode": "pickup_slot", "slot_minutes": 30, "capacity": 4})

    mode: SlotMode
    slot_minutes: SlotMinutes | None = None
    capacity: Capacity | None = None
    lead_minutes: LeadMinutes | None = None
    horizon_days: HorizonDays | None = None


class ModeSettings(BaseModel):
    """How the slots of one mode are cut and given away; ``capacity`` null is any number of orders in each."""

    mode: str
    slot_minutes: int
    capacity: int | None
    lead_minutes: int
    horizon_days: int


class SlotSettingsOut(BaseModel):
    """The slots of a store: one entry for each mode of its vertical that has them."""

    modes: list[ModeSettings]


class SlotsQuery(BaseModel):
    """Which slots to list: of the store's first mode with slots, and of its today, unless others are named."""

    mode: SlotMode | None = None
    date: LocalDate | None = None


class PublicSlot(BaseModel):
    """A slot as customers see it. ``is_free`` says that it can be taken now."""

    starts_at: datetime
    ends_at: datetime
    is_free: bool


class SlotOut(PublicSlot):
    """A slot, how many orders it takes (null for any number) and how many it has."""

    capacity: int | None
    taken: int


class PublicSlots(BaseModel):
    """The slots that begin on one day of the store's time zone, first first."""

    mode: str
    date: LocalDate
    timezone: str
    slots: list[PublicSlot]


class SlotsOut(BaseModel):
    """The slots that begin on one day of the store's time zone, first first, and how full they are."""

    mode: str
    date: LocalDate
    timezone: str
    slots: list[SlotOut]
