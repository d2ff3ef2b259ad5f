"""Serving of an ASGI application on a socket until it is stopped."""

from collections.abc import Awaitable, Callable
from typing import Any

from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from hypercorn.utils import wrap_app

from comanda.operations.serving.http_server.connection import ServedApp
from comanda.operations.serving.http_server.connections import Connections
from comanda.operations.serving.http_server.listener import Listener
from comanda.operations.serving.lifespan import run_lifespan
from comanda.operations.serving.limits import ABORT_SECONDS, LIFESPAN_SECONDS, ConnectionLimits
from comanda.platform.http.overload import LoadShedder


async def serve(
    app: ASGIFramework, config: Config, limits: ConnectionLimits, *, shutdown_trigger: Callable[[], Awaitable[Any]]
) -> None:
    """Serve on the sockets of ``config`` until ``shutdown_trigger`` returns; stop within its ``graceful_timeout``."""
    async with run_lifespan(app) as state:
        connections = create_connections(app, config, state, limits)
        listeners = [
            Listener(sock, connections.create_protocol, config.backlog)
            for sock in config.create_sockets().insecure_sockets
        ]
        try:
            await shutdown_trigger()
        finally:
            for listener in listeners:
                listener.close()
            await connections.shut_down(config.graceful_timeout - LIFESPAN_SECONDS - ABORT_SECONDS)


def create_connections(
    app: ASGIFramework, config: Config, state: dict[str, Any], limits: ConnectionLimits
) -> Connections:
    """Return the connections that an application, whose lifespan has the ``state``, is served on."""
    wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
    return Connections(ServedApp(wrapped, config, WorkerContext(None), state, limits, LoadShedder()))
