"""Settings of the kitchen display, under ``COMANDA_KDS_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class KdsSettings(PluginSettings):
    """Default timings of kitchens, and how long orders stay on a board."""

    soon_minutes: int = Field(default=10, ge=1, le=1440, description="Age at which a ticket will soon be late.")
    late_minutes: int = Field(default=15, ge=1, le=1440, description="Age at which a ticket is late.")
    lead_minutes: int = Field(
        default=30, ge=0, le=1440, description="How long before its time an order for later comes to the board."
    )
    board_hours: int = Field(default=48, ge=1, le=336, description="Hours after which an order leaves the board.")


def get_settings() -> KdsSettings:
    return runtime.settings_of(KdsSettings)
