"""Requests about slots and their settings, and slots as customers see them."""

from datetime import date, datetime
from typing import Annotated, Literal

from comanda.contracts import Body, Count, example
from comanda.stores import LocalDate
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


class SlotsQuery(BaseModel):
    """The mode and day of the slots to list; by default the store's first mode with slots, and today."""

    mode: SlotMode | None = None
    date: LocalDate | None = None


class PublicSlot(BaseModel):
    """A slot as customers see it. ``is_free`` if it can be booked now."""

    starts_at: datetime
    ends_at: datetime
    is_free: bool


class PublicSlots(BaseModel):
    """The slots that begin on one day in the store's time zone, in order."""

    mode: str
    date: date
    timezone: str
    slots: list[PublicSlot]
