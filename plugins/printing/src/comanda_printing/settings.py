"""The operator's settings for printing, prefixed ``COMANDA_PRINTING_``."""

from datetime import timedelta
from ipaddress import ip_address

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from comanda.platform.http_client import AllowedTargets, NetworkList
from pydantic import Field

PRIVATE_NETWORKS = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")


class PrintingSettings(PluginSettings):
    """Networks with printers, and how long jobs wait, go to another printer and are kept."""

    allowed_networks: NetworkList = Field(
        default=[], description="CIDRs in which this server may connect to printers. In development, private networks."
    )
    fallback_seconds: int = Field(
        default=120, ge=10, le=3600, description="How long a silent printer's jobs wait before they go to its fallback."
    )
    give_up_hours: int = Field(default=24, ge=1, le=168, description="After this long a job is given up.")
    lead_minutes: int = Field(
        default=30, ge=0, le=1440, description="How long before its time an order for later is printed in the kitchen."
    )
    keep_days: int = Field(default=30, ge=1, le=365, description="How long a job can be printed again.")

    @property
    def fallback_after(self) -> timedelta:
        """How long a silent printer's jobs wait for it."""
        return timedelta(seconds=self.fallback_seconds)

    @property
    def give_up_after(self) -> timedelta:
        """How long a job waits for any printer."""
        return timedelta(hours=self.give_up_hours)


def get_settings() -> PrintingSettings:
    return runtime.settings_of(PrintingSettings)


def allows_address(host: str) -> bool:
    """Return whether this server may connect to a printer at an IP address."""
    private = PRIVATE_NETWORKS if runtime.settings().development else ()
    return AllowedTargets.parse([*get_settings().allowed_networks, *private]).covers(ip_address(host))
