"""The operator's settings for the marketplace, prefixed ``COMANDA_MARKETPLACE_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field


class MarketplaceSettings(PluginSettings):
    """The share of developers, and limits on what they register."""

    developer_share_percent: int = Field(
        default=80,
        ge=0,
        le=100,
        description="What a developer earns of each charge, in percent; the platform the rest.",
    )
    max_apps: int = Field(default=50, ge=1, le=10_000, description="Apps that one developer can register.")


def get_settings() -> MarketplaceSettings:
    return runtime.settings_of(MarketplaceSettings)
