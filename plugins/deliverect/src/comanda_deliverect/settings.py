"""The operator's settings for Deliverect, under ``COMANDA_DELIVERECT_``: those of an integration partner there."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class DeliverectSettings(PluginSettings):
    """Where Deliverect is, and the operator's credentials there. Owners with credentials of their own need none."""

    url: str = Field(
        default="https://api.deliverect.com",
        pattern=r"^https?://[^\s?#]+[^\s?#/]$",
        description="The base URL of Deliverect's API; another one for its staging environment and for tests.",
    )
    client_id: str | None = Field(default=None, description="The id of the operator's client at Deliverect.")
    client_secret: SecretStr | None = Field(default=None, description="The secret of the operator's client.")
    webhook_secret: SecretStr | None = Field(
        default=None, description="The secret that signs webhooks of stores without one of their own."
    )


def get_settings() -> DeliverectSettings:
    """Return the settings of this process."""
    return runtime.settings_of(DeliverectSettings)
