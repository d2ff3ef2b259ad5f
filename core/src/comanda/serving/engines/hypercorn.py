"""The default engine: the protocols of Hypercorn on our own connections."""

import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from hypercorn.config import Config
from hypercorn.typing import ASGIFramework

from comanda.serving.http_server import server
from comanda.serving.limits import BACKLOG, GRACE_SECONDS, KEEP_ALIVE_SECONDS, ConnectionLimits


async def serve(
    app: ASGIFramework,
    sock: socket.socket,
    limits: ConnectionLimits,
    *,
    shutdown_trigger: Callable[[], Awaitable[Any]],
) -> None:
    """Serve on ``sock`` until ``shutdown_trigger`` returns."""
    await server.serve(app, create_config(sock), limits, shutdown_trigger=shutdown_trigger)


def create_config(sock: socket.socket) -> Config:
    """Return the configuration for a socket, which the server takes over."""
    config = Config()
    # Detached: the server closes its socket as soon as it stops, and a second reference would keep clients waiting in
    # the backlog of an unserved port.
    config.bind = [f"fd://{sock.detach()}"]
    config.backlog = BACKLOG
    config.keep_alive_timeout = KEEP_ALIVE_SECONDS
    config.graceful_timeout = GRACE_SECONDS
    config.errorlog = logging.getLogger("hypercorn.error")
    config.include_server_header = False
    return config
