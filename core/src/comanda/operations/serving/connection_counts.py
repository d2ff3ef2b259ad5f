"""Counts of the open connections of one process, in total and by the network of their clients, and their limits."""

import asyncio
import resource
from collections import Counter
from contextlib import suppress
from typing import Final

import structlog

from comanda.basics.errors import ComandaError, RateLimited, Unavailable
from comanda.operations.serving.limits import ConnectionLimits

log = structlog.get_logger(__name__)

# File descriptors for other uses: database, Redis, webhook deliveries, files.
RESERVED_DESCRIPTORS: Final = 256
REFUSAL_RETRY_SECONDS: Final = 5
# Refusals are logged this often.
LOG_SECONDS: Final = 10.0


class ConnectionCounts:
    """How many connections are open, and whether there may be more."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._max_connections = raise_descriptor_limit(limits.max_connections)
        self._max_per_network = limits.max_connections_per_address
        self._by_network: Counter[str] = Counter()
        self._open = 0
        self._loop = asyncio.get_running_loop()
        self._logs_from = 0.0

    def add(self, network: str) -> None:
        """Count a connection until it is removed."""
        self._open += 1
        self._by_network[network] += 1

    def remove(self, network: str) -> None:
        """Remove a connection that has ended."""
        self._open -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]

    def find_refusal(self, network: str) -> ComandaError | None:
        """Return why a further connection is not accepted, or None."""
        refusal: ComandaError
        if self._open >= self._max_connections:
            refusal = Unavailable("Too many connections.", retry_after_seconds=REFUSAL_RETRY_SECONDS)
        elif self._max_per_network and self._by_network[network] >= self._max_per_network:
            refusal = RateLimited(REFUSAL_RETRY_SECONDS)
        else:
            return None
        if self._loop.time() >= self._logs_from:
            self._logs_from = self._loop.time() + LOG_SECONDS
            log.warning("connection_refused", code=refusal.code, client=network, open=self._open)
        return refusal


def raise_descriptor_limit(connections: int) -> int:
    """Increase the limit of open files as far as allowed; return how many connections it permits."""
    wanted = connections + RESERVED_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    fitting = connections if soft == resource.RLIM_INFINITY else min(connections, soft - RESERVED_DESCRIPTORS)
    if fitting < connections:
        log.warning("fewer_connections_than_set", wanted=connections, possible=fitting, open_files=soft)
    return max(fitting, 1)
