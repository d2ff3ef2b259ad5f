"""What an operator decides for notifications, under ``COMANDA_NOTIFICATIONS_``."""

from base64 import b64decode
from email.headerregistry import Address
from email.utils import parseaddr
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from comanda import runtime
from comanda.contracts.settings import PluginSettings
from pydantic import Field, SecretStr, field_validator, model_validator

SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - what every secret begins with is no secret
LEAST_SECRET_BYTES: Final = 24
TOKEN: Final = "{token}"  # noqa: S105 - what stands for a token is none


class NotificationSettings(PluginSettings):
    """Who carries messages, how many go out at once, and how long they are kept."""

    smtp_url: SecretStr | None = Field(
        default=None, description="The mail server: smtp://user:password@host:587, or smtps:// for TLS from the start."
    )
    email_from: str | None = Field(default=None, description="The sender of e-mail, such as Comanda <no-reply@a.com>.")
    sms_url: SecretStr | None = Field(default=None, description="The gateway that takes SMS as signed HTTP requests.")
    push_url: SecretStr | None = Field(default=None, description="The gateway that takes push messages likewise.")
    gateway_secret: SecretStr | None = Field(
        default=None,
        description="What requests to gateways are signed with: whsec_ and the base64 of 24 bytes or more.",
    )
    max_in_flight: int = Field(default=10, ge=1, le=1000, description="Messages of one channel under way per process.")
    max_per_address_per_hour: int = Field(default=30, ge=1, description="Messages to one address, of one owner.")
    max_per_owner_per_hour: int = Field(default=2000, ge=1, description="Messages of one owner, all together.")
    tracking_url: str | None = Field(
        default=None,
        description="Where guests follow an order, {token} standing for its track token; the storefront's page if "
        "left out.",
    )
    keep_days: int = Field(default=30, ge=1, description="How long a message stays in the table.")

    @field_validator("smtp_url")
    @classmethod
    def _mail_server(cls, url: SecretStr | None) -> SecretStr | None:
        parts = _split(url)
        if parts is not None and parts.scheme not in {"smtp", "smtps"}:
            raise ValueError("must begin with smtp:// or smtps:// and name a host")
        return url

    @field_validator("sms_url", "push_url")
    @classmethod
    def _gateway(cls, url: SecretStr | None) -> SecretStr | None:
        parts = _split(url)
        if parts is None or parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname)):
            return url
        raise ValueError("must begin with https://, or with http:// for a gateway on this machine")

    @field_validator("gateway_secret")
    @classmethod
    def _secret(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None:
            key_of(secret)
        return secret

    @field_validator("tracking_url")
    @classmethod
    def _tracking(cls, url: str | None) -> str | None:
        if url is not None and (url.count(TOKEN) != 1 or not url.startswith(("https://", "http://"))):
            raise ValueError("must begin with https:// or http:// and hold {token} once")
        return url

    @field_validator("email_from")
    @classmethod
    def _sender(cls, sender: str | None) -> str | None:
        if sender is not None:
            address_of(sender)
        return sender

    @model_validator(mode="after")
    def _complete(self) -> "NotificationSettings":
        if self.smtp_url and not self.email_from:
            raise ValueError("COMANDA_NOTIFICATIONS_SMTP_URL needs COMANDA_NOTIFICATIONS_EMAIL_FROM beside it")
        if (self.sms_url or self.push_url) and not self.gateway_secret:
            raise ValueError("a gateway needs COMANDA_NOTIFICATIONS_GATEWAY_SECRET, which its requests are signed with")
        return self


def current() -> NotificationSettings:
    """Return the settings of this process."""
    return runtime.settings_of(NotificationSettings)


def tracking_url(track_token: str) -> str:
    """Return the page on which an order is followed."""
    page = current().tracking_url or f"{runtime.settings().site_url}/t/{TOKEN}"
    return page.replace(TOKEN, track_token)


def is_development() -> bool:
    """Tell whether messages may stay here, for a developer to read."""
    return runtime.settings().development


def key_of(secret: SecretStr) -> bytes:
    """Return the key that a signing secret stands for. Raises ``ValueError``."""
    prefix, _, encoded = secret.get_secret_value().partition("_")
    try:
        key = b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if f"{prefix}_" != SECRET_PREFIX or len(key) < LEAST_SECRET_BYTES:
        raise ValueError(f"must be {SECRET_PREFIX} and the base64 of {LEAST_SECRET_BYTES} bytes or more")
    return key


def address_of(sender: str) -> Address:
    """Return a sender's name and address. Raises ``ValueError``."""
    name, address = parseaddr(sender)
    try:
        return Address(name, addr_spec=address)
    except Exception as error:  # the parser has errors of several kinds, and plain ones too
        raise ValueError("must be an address, such as Comanda <no-reply@example.com>") from error


def is_loopback(host: str | None) -> bool:
    """Tell whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _split(url: SecretStr | None) -> SplitResult | None:
    if url is None:
        return None
    parts = urlsplit(url.get_secret_value())
    _ = parts.port  # raises ValueError for a port that is none
    if not parts.hostname:
        raise ValueError("must name a host")
    return parts
