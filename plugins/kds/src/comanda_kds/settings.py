"""What an operator decides."""

from comanda import runtime
from comanda.contracts.settings import PluginSettings
from pydantic import Field


class KdsSettings(PluginSettings):
    """How long a kitchen may take until its owner decides, and what stays on its board."""

    soon_minutes: int = Field(default=10, ge=1, le=1440, description="Age at which a ticket will soon be late.")
    late_minutes: int = Field(default=15, ge=1, le=1440, description="Age at which a ticket is late.")
    lead_minutes: int = Field(
        default=30, ge=0, le=1440, description="How long before its time an order for later comes to the board."
    )
    board_hours: int = Field(default=48, ge=1, le=336, description="Hours after which an order leaves the board.")


def current() -> KdsSettings:
    """Return the settings of this process."""
    return runtime.settings_of(KdsSettings)
