"""The operator's settings for payments, under ``COMANDA_PAYMENTS_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class PaymentSettings(PluginSettings):
    """The address and the credentials of the gateway. Without a key the method ``gateway`` is not available."""

    gateway_url: str = Field(
        default="https://api.stripe.com",
        pattern=r"^https?://[^/\s]+$",
        description="The base URL of the gateway's API, without a path.",
    )
    gateway_key: SecretStr | None = Field(default=None, description="The secret API key of the gateway.")
    gateway_webhook_secret: SecretStr | None = Field(
        default=None,
        description="The secret that the gateway signs webhooks with; without it none are accepted.",
    )


def get_settings() -> PaymentSettings:
    """Return the settings of this process."""
    return runtime.settings_of(PaymentSettings)
