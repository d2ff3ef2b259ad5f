"""What an operator decides for webhooks, under ``COMANDA_WEBHOOKS_``."""

from comanda import runtime
from comanda.contracts.settings import PluginSettings
from comanda.settings import NameList
from pydantic import Field, field_validator

from comanda_webhooks.addresses import AllowedTargets

LOOPBACK = ("127.0.0.0/8", "::1/128")


class WebhookSettings(PluginSettings):
    """How many deliveries leave at once, where they may go, and how long their log is kept."""

    max_in_flight: int = Field(default=400, ge=4, le=10_000, description="Requests that one process has open at once.")
    allowed_networks: NameList = Field(
        default=[], description="CIDRs that are reachable although they are not public, for tests and closed networks."
    )
    keep_bodies_days: int = Field(default=30, ge=1, description="How long a delivery can be read and redelivered.")
    keep_log_days: int = Field(default=90, ge=1, description="How long a delivery stays in the log.")

    @field_validator("allowed_networks")
    @classmethod
    def _networks(cls, networks: list[str]) -> list[str]:
        AllowedTargets.parse(networks)
        return networks


def current() -> WebhookSettings:
    """Return the settings of this process."""
    return runtime.settings_of(WebhookSettings)


def allowed_targets() -> AllowedTargets:
    """Return the networks beside the public one that deliveries may go to: in development, this machine too.

    Development alone opens no other name than ``localhost``: a receiver elsewhere needs HTTPS as in production.
    """
    configured = current().allowed_networks
    loopback = LOOPBACK if runtime.settings().development else ()
    return AllowedTargets.parse([*configured, *loopback], with_any_name=bool(configured))
