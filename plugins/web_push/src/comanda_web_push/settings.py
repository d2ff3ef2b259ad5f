"""The operator's settings, prefixed ``COMANDA_WEB_PUSH_``."""

from urllib.parse import urlsplit

from comanda.contracts import PluginSettings
from comanda.platform import http_client, runtime
from comanda.platform.http_client import AllowedTargets, NetworkList
from pydantic import Field


class WebPushSettings(PluginSettings):
    """Who push services may contact, and networks with push services of one's own."""

    contact: str | None = Field(
        default=None, description="The e-mail address that push services may write to; defaults to postmaster."
    )
    allowed_networks: NetworkList = Field(
        default=[], description="CIDRs that are reachable although they are not public, for tests and closed networks."
    )


def get_contact() -> str:
    """Return the address that push services may write to."""
    host = urlsplit(runtime.settings().site_url).hostname or "localhost"
    return f"mailto:{runtime.settings_of(WebPushSettings).contact or f'postmaster@{host}'}"


def get_allowed_targets() -> AllowedTargets:
    """Return the networks that requests may reach although they are not public."""
    return http_client.get_allowed_targets(runtime.settings_of(WebPushSettings).allowed_networks)
