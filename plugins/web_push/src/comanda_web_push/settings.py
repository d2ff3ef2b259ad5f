"""The operator's settings, prefixed ``COMANDA_WEB_PUSH_``."""

from typing import Final
from urllib.parse import urlsplit

from comanda.contracts import NameList, PluginSettings
from comanda.platform import runtime
from comanda.platform.http_client import AllowedTargets
from pydantic import Field, field_validator

LOOPBACK_NETWORKS: Final = ("127.0.0.0/8", "::1/128")


class WebPushSettings(PluginSettings):
    """Who push services may contact, and networks with push services of one's own."""

    contact: str | None = Field(
        default=None, description="The e-mail address that push services may write to; defaults to postmaster."
    )
    allowed_networks: NameList = Field(
        default=[], description="CIDRs that are reachable although they are not public, for tests and closed networks."
    )

    @field_validator("allowed_networks")
    @classmethod
    def _check_networks(cls, networks: list[str]) -> list[str]:
        AllowedTargets.parse(networks)
        return networks


def get_contact() -> str:
    """Return the address that push services may write to."""
    host = urlsplit(runtime.settings().site_url).hostname or "localhost"
    return f"mailto:{runtime.settings_of(WebPushSettings).contact or f'postmaster@{host}'}"


def get_allowed_targets() -> AllowedTargets:
    """Return the allowed networks that are not public, including this machine in development mode."""
    configured = runtime.settings_of(WebPushSettings).allowed_networks
    loopback = LOOPBACK_NETWORKS if runtime.settings().development else ()
    return AllowedTargets.parse([*configured, *loopback], with_any_name=bool(configured))
