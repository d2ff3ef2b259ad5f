"""Uvicorn on our listener, with our limits of connections. HTTP/2 is left to Hypercorn."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from hypercorn.typing import ASGIFramework

from comanda.operations.serving.engines.hypercorn import create_config
from comanda.operations.serving.engines.unread_bodies import discard_unread_bodies
from comanda.operations.serving.engines.uvicorn_connections import LimitedConnection, OpenConnections
from comanda.operations.serving.http_server.listener import Listener
from comanda.operations.serving.http_server.server import create_connections
from comanda.operations.serving.lifespan import run_lifespan
from comanda.operations.serving.limits import (
    ABORT_SECONDS,
    BACKLOG,
    GRACE_SECONDS,
    KEEP_ALIVE_SECONDS,
    LIFESPAN_SECONDS,
    ConnectionLimits,
)
from comanda.platform.http.overload import LoadShedder


class Server(uvicorn.Server):
    """A server whose connections come from a listener of ours, and that leaves signals to the process that runs it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, without listening."""
        self.servers = []
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


async def serve(
    app: ASGIFramework, sock: socket.socket, limits: ConnectionLimits, *, shutdown_trigger: Callable[[], Awaitable[Any]]
) -> None:
    """Serve on ``sock`` until ``shutdown_trigger`` returns."""
    seconds = GRACE_SECONDS - LIFESPAN_SECONDS - ABORT_SECONDS
    async with run_lifespan(app) as state:
        http2 = create_connections(app, create_config(KEEP_ALIVE_SECONDS), state, limits)
        connections = OpenConnections(limits, http2, LoadShedder())
        config = _create_config(discard_unread_bodies(app, limits.max_discarded_bytes), seconds)
        server = Server(config)
        config.load()
        create_protocol = partial(LimitedConnection, connections, config, server.server_state, state)
        listener = Listener(sock, create_protocol, BACKLOG)

        async def stop() -> None:
            await shutdown_trigger()
            listener.close()
            connections.is_stopping = True
            server.should_exit = True
            await http2.shut_down(seconds)

        stopping = asyncio.create_task(stop())
        try:
            await server.serve()
            await stopping
        finally:
            stopping.cancel()
            listener.close()
            connections.abort()


def _create_config(app: ASGIFramework, graceful_seconds: float) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        interface="asgi3",
        # It has started already, and ends after the last request.
        lifespan="off",
        http="httptools",
        ws="none",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(graceful_seconds),
        # The application logs requests.
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        # The gateway evaluates forwarded addresses, as it knows how many proxies to trust.
        proxy_headers=False,
    )
