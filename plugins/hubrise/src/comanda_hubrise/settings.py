"""The operator's settings for HubRise, under ``COMANDA_HUBRISE_``. Owners with a client of their own need none."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class HubRiseSettings(PluginSettings):
    """Where HubRise is, and the secret of the operator's client there."""

    url: str = Field(
        default="https://api.hubrise.com/v1",
        pattern=r"^https?://[^\s?#]+[^\s?#/]$",
        description="The base URL of HubRise's API; another one for tests.",
    )
    client_secret: SecretStr | None = Field(
        default=None,
        description="The secret of the operator's client, which signs callbacks of stores without one.",
    )


def get_settings() -> HubRiseSettings:
    """Return the settings of this process."""
    return runtime.settings_of(HubRiseSettings)
