"""Limits of connections, on every engine."""

from dataclasses import dataclass
from typing import Final

from comanda.platform.settings import Settings

BACKLOG: Final = 2048
# Longer than the idle timeout of common load balancers, so that we never close a connection they are about to use.
KEEP_ALIVE_SECONDS: Final = 75
# Requests in progress get this long after SIGTERM; orchestrators kill after 30 seconds by default.
GRACE_SECONDS: Final = 25
# The part of it that is reserved for the application after its last request.
LIFESPAN_SECONDS: Final = 5.0
# How much longer than they are given connections may take to be aborted.
ABORT_SECONDS: Final = 2.0
# A process that has not ended so long after SIGTERM is ended, whatever its tasks and threads do.
EXIT_SECONDS: Final = GRACE_SECONDS + 1


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
