"""Uvicorn, with our limits of connections; an extra of this package."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from hypercorn.typing import ASGIFramework

from comanda.serving.engines.unread_bodies import discard_unread_bodies
from comanda.serving.engines.uvicorn_connections import LimitedConnection, OpenConnections
from comanda.serving.lifespan import run_lifespan
from comanda.serving.limits import (
    ABORT_SECONDS,
    BACKLOG,
    GRACE_SECONDS,
    KEEP_ALIVE_SECONDS,
    LIFESPAN_SECONDS,
    ConnectionLimits,
)


class Server(uvicorn.Server):
    """A server that leaves signals to the process that runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


async def serve(
    app: ASGIFramework,
    sock: socket.socket,
    limits: ConnectionLimits,
    *,
    shutdown_trigger: Callable[[], Awaitable[Any]],
) -> None:
    """Serve on ``sock`` until ``shutdown_trigger`` returns."""
    async with run_lifespan(app):
        connections = OpenConnections(limits)
        server = Server(_create_config(discard_unread_bodies(app, limits.max_discarded_bytes), connections))

        async def stop() -> None:
            await shutdown_trigger()
            connections.is_stopping = True
            server.should_exit = True

        stopping = asyncio.create_task(stop())
        try:
            await server.serve(sockets=[sock])
        finally:
            stopping.cancel()
            connections.abort()


def _create_config(app: ASGIFramework, connections: OpenConnections) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=partial(LimitedConnection, connections),  # type: ignore[arg-type]
        interface="asgi3",
        # It has started already, and ends after the last request.
        lifespan="off",
        ws="none",
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(GRACE_SECONDS - LIFESPAN_SECONDS - ABORT_SECONDS),
        # The application logs requests.
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        # The gateway evaluates forwarded addresses, as it knows how many proxies to trust.
        proxy_headers=False,
    )
