"""Detection of a server, or a client, that disappeared without closing the connection.

A broken network drops packets and tells nobody. By default, the kernel notices it after a quarter of an hour while
something is sent, and after two hours while nothing is.
"""

import socket
from collections.abc import Mapping
from typing import Any, Final, cast

import asyncpg

# Silence before the first probe, and between probes.
IDLE_SECONDS: Final = 5
INTERVAL_SECONDS: Final = 2
# The connection ends after so many probes, or so long after something was sent, without an answer.
MAX_PROBES: Final = 3
MAX_UNACKNOWLEDGED_SECONDS: Final = 10

_OPTION_VALUES: Final = {
    "TCP_KEEPIDLE": IDLE_SECONDS,
    "TCP_KEEPINTVL": INTERVAL_SECONDS,
    "TCP_KEEPCNT": MAX_PROBES,
    "TCP_USER_TIMEOUT": MAX_UNACKNOWLEDGED_SECONDS * 1000,
}
# Some systems lack some of them.
SOCKET_OPTIONS: Final[Mapping[int, int]] = {
    getattr(socket, name): value for name, value in _OPTION_VALUES.items() if hasattr(socket, name)
}
# The same for the server's side: locks of a machine that has disappeared are released. Ignored on Unix sockets.
SERVER_SETTINGS: Final[Mapping[str, str]] = {
    "tcp_keepalives_idle": str(IDLE_SECONDS),
    "tcp_keepalives_interval": str(INTERVAL_SECONDS),
    "tcp_keepalives_count": str(MAX_PROBES),
    "tcp_user_timeout": str(MAX_UNACKNOWLEDGED_SECONDS * 1000),
}


class KeepaliveConnection(asyncpg.Connection):
    """A connection that ends within seconds once the server does not answer any more."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        # The stubs know no private attributes.
        sock = cast("Any", self)._transport.get_extra_info("socket")
        if sock is not None and sock.family in {socket.AF_INET, socket.AF_INET6}:
            enable_keepalive(sock)


def enable_keepalive(sock: socket.socket) -> None:
    """Enable the checks by which the kernel notices that the other side of a TCP connection is gone."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in SOCKET_OPTIONS.items():
        sock.setsockopt(socket.IPPROTO_TCP, option, value)
