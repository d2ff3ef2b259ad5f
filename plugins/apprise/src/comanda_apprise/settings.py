"""The operator's settings, prefixed ``COMANDA_APPRISE_``."""

from typing import Final

from comanda.contracts import Channel, PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr, field_validator

RECIPIENT_PLACEHOLDER: Final = "{to}"


class AppriseSettings(PluginSettings):
    """The services of this installation."""

    sms_url: SecretStr | None = Field(
        default=None,
        description="The service that sends SMS, as a URL of apprise with {to} for the telephone number, such as "
        "twilio://SID:TOKEN@FROM/{to}.",
    )
    push_url: SecretStr | None = Field(
        default=None, description="The service that sends push messages, likewise, with {to} for the device's token."
    )

    @field_validator("sms_url", "push_url")
    @classmethod
    def _check_url(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and ("://" not in url.get_secret_value() or not has_one_recipient(url.get_secret_value())):
            raise ValueError("must be a URL of apprise that contains {to} once")
        return url


def has_one_recipient(url: str) -> bool:
    """Return whether a URL contains the placeholder of the recipient exactly once."""
    return url.count(RECIPIENT_PLACEHOLDER) == 1


def get_url(channel: Channel) -> SecretStr | None:
    """Return the operator's URL for a channel."""
    settings = runtime.settings_of(AppriseSettings)
    return settings.sms_url if channel == "sms" else settings.push_url
