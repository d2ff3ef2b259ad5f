"""The operator's settings for webhooks, prefixed ``COMANDA_WEBHOOKS_``."""

from comanda.contracts import PluginSettings
from comanda.platform import http_client, runtime
from comanda.platform.http_client import AllowedTargets, NetworkList
from pydantic import Field


class WebhookSettings(PluginSettings):
    """Limits on concurrent requests, allowed networks, and retention of the log."""

    max_in_flight: int = Field(default=400, ge=4, le=10_000, description="Requests that one process has open at once.")
    max_in_flight_per_owner: int = Field(
        default=40, ge=4, le=10_000, description="Requests that one process has open at once for one owner."
    )
    allowed_networks: NetworkList = Field(
        default=[], description="CIDRs that are reachable although they are not public, for tests and closed networks."
    )
    keep_bodies_days: int = Field(default=30, ge=1, description="How long a delivery can be read and redelivered.")
    keep_log_days: int = Field(default=90, ge=1, description="How long a delivery stays in the log.")


def get_settings() -> WebhookSettings:
    return runtime.settings_of(WebhookSettings)


def get_allowed_targets() -> AllowedTargets:
    """Return the networks that requests may reach although they are not public."""
    return http_client.get_allowed_targets(get_settings().allowed_networks)
