"""The operator's settings for webhooks, prefixed ``COMANDA_WEBHOOKS_``."""

from comanda.contracts import NameList, PluginSettings
from comanda.platform import runtime
from comanda.platform.http_client import AllowedTargets
from pydantic import Field, field_validator

LOOPBACK_NETWORKS = ("127.0.0.0/8", "::1/128")


class WebhookSettings(PluginSettings):
    """Limits on concurrent requests, allowed networks, and retention of the log."""

    max_in_flight: int = Field(default=400, ge=4, le=10_000, description="Requests that one process has open at once.")
    max_in_flight_per_owner: int = Field(
        default=40, ge=4, le=10_000, description="Requests that one process has open at once for one owner."
    )
    allowed_networks: NameList = Field(
        default=[], description="CIDRs that are reachable although they are not public, for tests and closed networks."
    )
    keep_bodies_days: int = Field(default=30, ge=1, description="How long a delivery can be read and redelivered.")
    keep_log_days: int = Field(default=90, ge=1, description="How long a delivery stays in the log.")

    @field_validator("allowed_networks")
    @classmethod
    def _check_networks(cls, networks: list[str]) -> list[str]:
        AllowedTargets.parse(networks)
        return networks


def get_settings() -> WebhookSettings:
    """Return the settings of this process."""
    return runtime.settings_of(WebhookSettings)


def get_allowed_targets() -> AllowedTargets:
    """Return the allowed networks that are not public, including this machine in development mode.

    Development mode alone allows no name but ``localhost``: a receiver elsewhere needs HTTPS as in production.
    """
    configured = get_settings().allowed_networks
    loopback = LOOPBACK_NETWORKS if runtime.settings().development else ()
    return AllowedTargets.parse([*configured, *loopback], with_any_name=bool(configured))
