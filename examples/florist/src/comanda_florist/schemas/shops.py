"""Requests and answers about flower shops and their delivery days."""

from datetime import date
from typing import Annotated

from comanda.contracts import Body, Count
from pydantic import BaseModel, Field


class ShopSettingsChange(Body):
    """Changes to the settings; omitted fields are kept, null for ``deliveries_per_day`` removes the limit."""

    deliveries_per_day: Annotated[Count, Field(ge=1, le=10_000)] | None = None
    days_ahead: Annotated[Count, Field(ge=1, le=365)] | None = None
    remembers_gifts: bool | None = None
    remind_days_before: Annotated[Count, Field(le=60)] | None = None


class DaysQuery(Body):
    """The days to list: ``count`` days from ``first``, by default from today."""

    first: date | None = None
    count: Annotated[int, Field(ge=1, le=60)] = 14


class PublicDay(BaseModel):
    """A day as customers see it; ``is_free`` if a gift can be ordered for it now."""

    day: date
    is_free: bool


class PublicDays(BaseModel):
    """Days of the shop's local calendar in order."""

    timezone: str
    days: list[PublicDay]
