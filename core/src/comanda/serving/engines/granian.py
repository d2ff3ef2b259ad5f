"""Granian, whose connections are handled by threads of Rust; an extra of this package."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from granian import _futures, _granian, asgi
from granian.http import HTTP1Settings, HTTP2Settings
from hypercorn.typing import ASGIFramework

from comanda.serving.connection_counts import raise_descriptor_limit
from comanda.serving.engines.unread_bodies import discard_unread_bodies
from comanda.serving.lifespan import run_lifespan
from comanda.serving.limits import (
    ABORT_SECONDS,
    BACKLOG,
    GRACE_SECONDS,
    KEEP_ALIVE_SECONDS,
    LIFESPAN_SECONDS,
    ConnectionLimits,
)

# Granian declares no types for the part that its own servers are made of, or those of another version.
_native: Any = _granian
_asgi: Any = asgi
_scheduling: Any = _futures


async def serve(
    app: ASGIFramework,
    sock: socket.socket,
    limits: ConnectionLimits,
    *,
    shutdown_trigger: Callable[[], Awaitable[Any]],
) -> None:
    """Serve on ``sock`` until ``shutdown_trigger`` returns.

    Granian's own server binds its socket and forks, or runs in a process that it started itself; this is the part below
    it, on our socket and in our loop.
    """
    async with run_lifespan(app) as state:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        signal = _native.WorkerSignal()
        worker = _create_worker(sock, limits)
        callback = _asgi._callback_wrapper(discard_unread_bodies(app, None), {}, state)
        scheduler = _scheduling._new_cbscheduler(loop, _scheduling._future_watcher_wrapper(callback), impl_asyncio=True)
        signal.add_cb(lambda: loop.call_soon_threadsafe(ended.set_result, None))
        worker.serve_async(scheduler, loop, signal)
        await shutdown_trigger()
        signal.set()
        await asyncio.wait([ended], timeout=GRACE_SECONDS - LIFESPAN_SECONDS - ABORT_SECONDS)


def _create_worker(sock: socket.socket, limits: ConnectionLimits) -> Any:
    holder = _native.SocketHolder(sock.detach(), False, BACKLOG)
    http1 = HTTP1Settings(header_read_timeout=KEEP_ALIVE_SECONDS * 1000)
    http2 = HTTP2Settings(keep_alive_interval=KEEP_ALIVE_SECONDS * 1000)
    return _native.ASGIWorker(
        1,
        (None, holder),
        None,
        backpressure=raise_descriptor_limit(limits.max_connections),
        http_mode="auto",
        http1_opts=http1,
        http2_opts=http2,
    )
