"""The operator's settings for Mollie, under ``COMANDA_MOLLIE_``. Owners with keys of their own need none of them."""

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr


class MollieSettings(PluginSettings):
    """The operator's account, which may be lent to owners."""

    api_key: SecretStr | None = Field(default=None, description="The API key of a profile of the operator.")
    url: str = Field(
        default="https://api.mollie.com",
        pattern=r"^https?://[^/\s]+$",
        description="The base URL of Mollie's API, without a path; another one for tests.",
    )


def get_settings() -> MollieSettings:
    return runtime.settings_of(MollieSettings)
