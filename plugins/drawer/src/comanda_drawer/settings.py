"""Settings of cash drawers, under ``COMANDA_DRAWER_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class DrawerSettings(PluginSettings):
    """Whether more cash may leave a drawer than it should hold."""

    refuse_short: bool = Field(
        default=False,
        description="Refuse refunds and paid-outs of more cash than the drawer should hold; else its count shows them.",
    )


def get_settings() -> DrawerSettings:
    return runtime.settings_of(DrawerSettings)
