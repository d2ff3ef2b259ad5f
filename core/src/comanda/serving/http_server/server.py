"""Serving of an ASGI application on a socket until it is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from hypercorn.asyncio.lifespan import Lifespan
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from hypercorn.utils import LifespanTimeoutError, wrap_app

from comanda.http.overload import LoadShedder
from comanda.serving.http_server.connection import ServedApp
from comanda.serving.http_server.connections import Connections
from comanda.serving.http_server.limits import ConnectionLimits

log = structlog.get_logger(__name__)

# The part of the shutdown time reserved for the application after its last request.
LIFESPAN_SECONDS = 5.0
# How much longer than its argument ``Connections.shut_down`` may take.
ABORT_SECONDS = 2.0


async def serve(
    app: ASGIFramework,
    config: Config,
    limits: ConnectionLimits,
    shedder: LoadShedder,
    *,
    shutdown_trigger: Callable[[], Awaitable[Any]],
) -> None:
    """Serve on the sockets of ``config`` until ``shutdown_trigger`` returns; stop within its ``graceful_timeout``."""
    loop = asyncio.get_running_loop()
    wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
    config.shutdown_timeout = LIFESPAN_SECONDS
    state: dict[str, Any] = {}
    lifespan = Lifespan(wrapped, config, loop, state)
    lifespan_task = loop.create_task(lifespan.handle_lifespan())
    await lifespan.wait_for_startup()
    if lifespan_task.done() and (failure := lifespan_task.exception()) is not None:
        raise failure
    context = WorkerContext(None)
    connections = Connections(ServedApp(wrapped, config, context, state, limits, shedder))
    servers = [
        await asyncio.start_server(connections.accept, sock=sock, backlog=config.backlog)
        for sock in config.create_sockets().insecure_sockets
    ]
    try:
        await shutdown_trigger()
    finally:
        await context.terminated.set()
        for server in servers:
            server.close()
        await connections.shut_down(config.graceful_timeout - LIFESPAN_SECONDS - ABORT_SECONDS)
        await _end_lifespan(lifespan, lifespan_task)


async def _end_lifespan(lifespan: Lifespan, task: asyncio.Task[None]) -> None:
    try:
        await lifespan.wait_for_shutdown()
    except LifespanTimeoutError:
        log.warning("application_did_not_stop", seconds=LIFESPAN_SECONDS)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
