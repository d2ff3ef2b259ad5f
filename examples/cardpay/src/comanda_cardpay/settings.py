"""Settings of the operator, under ``COMANDA_CARDPAY_``."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class CardPaySettings(PluginSettings):
    """Where CardPay answers, and the two secrets that it shares with this installation."""

    api_url: str = Field(default="https://api.cardpay.example", description="The base URL of CardPay, without a path.")
    api_key: SecretStr | None = Field(
        default=None, description="The key of requests; without it CardPay is not offered."
    )
    callback_secret: SecretStr | None = Field(
        default=None, description="The secret that callbacks are signed with; without it none are accepted."
    )


def get_settings() -> CardPaySettings:
    """Return the settings of this process."""
    return runtime.settings_of(CardPaySettings)
