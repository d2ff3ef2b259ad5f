"""What an operator decides for payments, under ``COMANDA_PAYMENTS_``."""

from comanda import runtime
from comanda.contracts.settings import PluginSettings
from pydantic import Field, SecretStr


class PaymentSettings(PluginSettings):
    """Where the hosted checkout is, and what it knows us by. Without a key the method ``gateway`` is not offered."""

    gateway_url: str = Field(
        default="https://api.stripe.com",
        pattern=r"^https?://[^/\s]+$",
        description="The address of the gateway's interface, without a path.",
    )
    gateway_key: SecretStr | None = Field(default=None, description="The secret key that the gateway's calls carry.")
    gateway_webhook_secret: SecretStr | None = Field(
        default=None, description="The secret with which the gateway signs its callbacks; without it none is taken."
    )


def current() -> PaymentSettings:
    """Return the settings of this process."""
    return runtime.settings_of(PaymentSettings)
