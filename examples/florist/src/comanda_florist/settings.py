"""What an operator decides for all flower shops of an installation."""

from comanda import runtime
from comanda.settings import PluginSettings
from pydantic import Field


class FloristSettings(PluginSettings):
    """What holds for a shop until its owner decides otherwise, and the hour at which owners are reminded."""

    deliveries_per_day: int = Field(default=20, ge=1, le=10_000)
    days_ahead: int = Field(default=60, ge=1, le=365)
    remind_days_before: int = Field(default=7, ge=0, le=60)
    remind_hour: int = Field(default=9, ge=0, le=23, description="Of the shop's own clock.")


def current() -> FloristSettings:
    """Return the settings of this process."""
    return runtime.settings_of(FloristSettings)
