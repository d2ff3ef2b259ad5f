"""Settings under ``COMANDA_NOTIFICATIONS_``."""

from base64 import b64decode
from email.headerregistry import Address
from email.utils import parseaddr
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import Field, SecretStr, field_validator, model_validator

WHSEC_PREFIX: Final = "whsec_"
MIN_SECRET_BYTES: Final = 24
TRACKING_PLACEHOLDER: Final = "{token}"


class NotificationSettings(PluginSettings):
    """Transports, limits and retention of messages."""

    smtp_url: SecretStr | None = Field(
        default=None, description="The mail server: smtp://user:password@host:587, or smtps:// for TLS from the start."
    )
    email_from: str | None = Field(default=None, description="The sender of e-mail, such as Comanda <no-reply@a.com>.")
    sms_url: SecretStr | None = Field(default=None, description="The gateway that accepts SMS as signed HTTP requests.")
    push_url: SecretStr | None = Field(default=None, description="The gateway that accepts push messages, likewise.")
    gateway_secret: SecretStr | None = Field(
        default=None, description="The signing secret for gateway requests: whsec_ and the base64 of at least 24 bytes."
    )
    max_in_flight: int = Field(default=10, ge=1, le=1000, description="Concurrent messages per channel and process.")
    max_per_address_per_hour: int = Field(default=30, ge=1, description="Messages to one address per owner.")
    max_per_owner_per_hour: int = Field(default=2000, ge=1, description="Messages per owner.")
    max_sms_per_month: int | None = Field(
        default=None, ge=0, description="SMS of one owner in a calendar month, beside the owner's own limit."
    )
    tracking_url: str | None = Field(
        default=None,
        description="The page where guests track an order, with {token} for its track token; defaults to the "
        "storefront's page.",
    )
    keep_days: int = Field(default=30, ge=1, description="Days to keep messages that were sent or given up.")

    @field_validator("smtp_url")
    @classmethod
    def _check_smtp_url(cls, url: SecretStr | None) -> SecretStr | None:
        parts = _split_url(url)
        if parts is not None and parts.scheme not in {"smtp", "smtps"}:
            raise ValueError("must begin with smtp:// or smtps:// and name a host")
        return url

    @field_validator("sms_url", "push_url")
    @classmethod
    def _check_gateway_url(cls, url: SecretStr | None) -> SecretStr | None:
        parts = _split_url(url)
        if parts is None or parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname)):
            return url
        raise ValueError("must begin with https://, or with http:// for a gateway on this machine")

    @field_validator("gateway_secret")
    @classmethod
    def _check_gateway_secret(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None:
            decode_secret(secret)
        return secret

    @field_validator("tracking_url")
    @classmethod
    def _check_tracking_url(cls, url: str | None) -> str | None:
        if url is not None and (url.count(TRACKING_PLACEHOLDER) != 1 or not url.startswith(("https://", "http://"))):
            raise ValueError("must begin with https:// or http:// and contain {token} once")
        return url

    @field_validator("email_from")
    @classmethod
    def _check_email_from(cls, sender: str | None) -> str | None:
        if sender is not None:
            parse_sender(sender)
        return sender

    @model_validator(mode="after")
    def _check_required_together(self) -> "NotificationSettings":
        if self.smtp_url and not self.email_from:
            raise ValueError("COMANDA_NOTIFICATIONS_SMTP_URL requires COMANDA_NOTIFICATIONS_EMAIL_FROM")
        if (self.sms_url or self.push_url) and not self.gateway_secret:
            raise ValueError("a gateway requires COMANDA_NOTIFICATIONS_GATEWAY_SECRET to sign its requests")
        return self


def get_settings() -> NotificationSettings:
    return runtime.settings_of(NotificationSettings)


def get_tracking_url(store_id: int, track_token: str) -> str:
    """Return the URL of an order's tracking page."""
    site = runtime.registry().guest_site_url(runtime.settings().site_url, store_id)
    page = get_settings().tracking_url or f"{site}/t/{TRACKING_PLACEHOLDER}"
    return page.replace(TRACKING_PLACEHOLDER, track_token)


def is_development() -> bool:
    """Return whether this installation runs in development mode."""
    return runtime.settings().development


def decode_secret(secret: SecretStr) -> bytes:
    """Return the key of a signing secret. Raises ``ValueError``."""
    prefix, _, encoded = secret.get_secret_value().partition("_")
    try:
        key = b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if f"{prefix}_" != WHSEC_PREFIX or len(key) < MIN_SECRET_BYTES:
        raise ValueError(f"must be {WHSEC_PREFIX} and the base64 of {MIN_SECRET_BYTES} bytes or more")
    return key


def parse_sender(sender: str) -> Address:
    """Parse a sender into name and address. Raises ``ValueError``."""
    name, address = parseaddr(sender)
    try:
        return Address(name, addr_spec=address)
    except Exception as error:  # the parser has errors of several kinds, and plain ones too
        raise ValueError("must be an address, such as Comanda <no-reply@example.com>") from error


def is_loopback(host: str | None) -> bool:
    """Return whether a host is the local machine."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _split_url(url: SecretStr | None) -> SplitResult | None:
    if url is None:
        return None
    parts = urlsplit(url.get_secret_value())
    _ = parts.port  # raises ValueError for an invalid port
    if not parts.hostname:
        raise ValueError("must name a host")
    return parts
