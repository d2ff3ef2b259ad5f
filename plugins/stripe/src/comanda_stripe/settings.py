"""The operator's settings for Stripe, under ``COMANDA_STRIPE_``. Owners with keys of their own need none of them."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class StripeSettings(PluginSettings):
    """The operator's account, which may be lent to owners, and to which accounts of owners may be connected."""

    secret_key: SecretStr | None = Field(default=None, description="The secret API key of the operator's account.")
    webhook_secret: SecretStr | None = Field(
        default=None,
        description="The secrets of the webhook endpoints for the operator's and connected accounts, with a comma.",
    )
    connect: bool = Field(
        default=False,
        description="Let owners open accounts that are connected to the operator's, from which fees are withheld.",
    )
    url: str = Field(
        default="https://api.stripe.com",
        pattern=r"^https?://[^/\s]+$",
        description="The base URL of Stripe's API, without a path; another one for tests.",
    )


def get_settings() -> StripeSettings:
    return runtime.settings_of(StripeSettings)
