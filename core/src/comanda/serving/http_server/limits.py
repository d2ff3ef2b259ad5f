"""Limits of connections."""

from dataclasses import dataclass

from comanda.settings import Settings


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of connections; 0 connections per address means no limit."""

    max_connections: int
    max_connections_per_address: int
    header_timeout_seconds: float
    send_timeout_seconds: float
    max_discarded_bytes: int

    @classmethod
    def from_settings(cls, settings: Settings) -> "ConnectionLimits":
        """Return the limits in the settings; behind proxies there is no limit per address."""
        return cls(
            settings.max_connections,
            0 if settings.trusted_proxies else settings.max_connections_per_address,
            settings.header_timeout_seconds,
            settings.send_timeout_seconds,
            settings.discard_limit_bytes,
        )
