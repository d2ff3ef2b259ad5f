"""Settings of the florist plugin."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class FloristSettings(PluginSettings):
    """Defaults for shops whose owner has not decided otherwise, and the hour of reminders."""

    deliveries_per_day: int = Field(
        default=20, ge=1, le=10_000, description="Gifts that a shop delivers on one day, until its owner decides."
    )
    days_ahead: int = Field(
        default=60,
        ge=1,
        le=365,
        description="Days after today for which gifts can be ordered, until its owner decides.",
    )
    remind_days_before: int = Field(
        default=7, ge=0, le=60, description="Days before an occasion when its owner is reminded, until they decide."
    )
    remind_hour: int = Field(
        default=9, ge=0, le=23, description="Hour, local to the shop, at which owners are reminded."
    )


def get_settings() -> FloristSettings:
    """Return the settings of this process."""
    return runtime.settings_of(FloristSettings)
