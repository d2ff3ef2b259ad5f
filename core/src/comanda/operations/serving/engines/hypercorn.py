"""The protocols of Hypercorn on our own connections."""

import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from hypercorn.config import Config
from hypercorn.typing import ASGIFramework

from comanda.operations.serving.http_server import server
from comanda.operations.serving.limits import BACKLOG, GRACE_SECONDS, KEEP_ALIVE_SECONDS, ConnectionLimits


async def serve(
    app: ASGIFramework, sock: socket.socket, limits: ConnectionLimits, *, shutdown_trigger: Callable[[], Awaitable[Any]]
) -> None:
    """Serve on ``sock`` until ``shutdown_trigger`` returns."""
    config = create_config(KEEP_ALIVE_SECONDS)
    # Detached: the server closes its socket as soon as it stops, and a second reference would keep clients waiting in
    # the backlog of an unserved port.
    config.bind = [f"fd://{sock.detach()}"]
    await server.serve(app, config, limits, shutdown_trigger=shutdown_trigger)


def create_config(keep_alive_seconds: float) -> Config:
    """Return the configuration of connections that are closed after being idle for this long."""
    config = Config()
    config.backlog = BACKLOG
    config.keep_alive_timeout = keep_alive_seconds
    config.graceful_timeout = GRACE_SECONDS
    config.errorlog = logging.getLogger("hypercorn.error")
    config.include_server_header = False
    return config
