"""What an operator decides for all flower shops of an installation."""

from comanda import runtime
from comanda.contracts.settings import PluginSettings
from pydantic import Field


class FloristSettings(PluginSettings):
    """What holds for a shop until its owner decides otherwise, and the hour at which owners are reminded."""

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
        default=7, ge=0, le=60, description="Days before an occasion on which its owner is told, until they decide."
    )
    remind_hour: int = Field(
        default=9, ge=0, le=23, description="Hour of the shop's own clock at which owners are told."
    )


def current() -> FloristSettings:
    """Return the settings of this process."""
    return runtime.settings_of(FloristSettings)
