"""One process that serves HTTP on Hypercorn, or does the background work, until it is told to stop."""

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
from collections.abc import AsyncGenerator, Callable

import structlog
import uvloop
from hypercorn.config import Config

from comanda import live
from comanda.app import create_app, opened
from comanda.runtime import Runtime
from comanda.serving.http_server.connections import ConnectionLimits
from comanda.serving.http_server.server import serve
from comanda.startup import StartupError

log = structlog.get_logger(__name__)

BACKLOG = 2048
# Longer than the idle time of the usual balancers, so that we never close a connection which they are about to use.
KEEP_ALIVE_SECONDS = 75
# Requests in hand get this long after SIGTERM; orchestrators kill after 30 seconds by default.
GRACE_SECONDS = 25
# Objects that may be made before the collector looks at the young ones; Python's own number is 700.
GARBAGE_THRESHOLD = 20_000


class PortInUse(StartupError):
    """Something else listens where the server should."""


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen. Raises ``PortInUse``, and ``StartupError`` for an address that is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(f"Port {port} is in use. Stop what uses it, or choose another with PORT=.") from error
        raise StartupError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from error
    return sock


def run_server(
    made: Runtime,
    sock: socket.socket,
    *,
    with_background: bool,
    ready: Callable[[], None] = lambda: None,
    parent_pipe: int | None = None,
) -> None:
    """Serve on ``sock``, which is the server's from then on, until SIGTERM or SIGINT; finish the requests in hand.

    ``ready`` is called when requests are answered from then on. ``parent_pipe`` ends the server when its other end
    is closed.
    """
    app = create_app(made, with_background=with_background)

    @app.while_serving
    async def announce() -> AsyncGenerator[None, None]:
        # Entered after the application's own life, so the database is open; the socket listens already.
        settle_memory()
        ready()
        yield

    async def main() -> None:
        stopped = _stop_event(parent_pipe)

        async def told_to_stop() -> None:
            await stopped.wait()
            # The server waits for the answers under way before it tells the application that it stops.
            live.end_all()

        limits = ConnectionLimits.from_settings(made.settings)
        await serve(app, _config(sock), limits, shutdown_trigger=told_to_stop)

    sock.listen(BACKLOG)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())


def settle_memory() -> None:
    """Spare the garbage collector what stays for the life of the process: modules, routes, schemas.

    A request leaves hardly any cycles, yet at the default threshold the collector takes 6 % of the time of an order.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)


def run_worker(made: Runtime) -> None:
    """Do background work until SIGTERM or SIGINT."""

    async def main() -> None:
        stopped = _stop_event(None)
        async with opened(made, with_background=True):
            log.warning("worker_started", pid=os.getpid())
            await stopped.wait()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())


def _config(sock: socket.socket) -> Config:
    config = Config()
    # Handed over: the server closes what it listens on as soon as it is told to stop, and a second owner would keep
    # clients waiting in the backlog of a port that nobody serves.
    config.bind = [f"fd://{sock.detach()}"]
    config.backlog = BACKLOG
    config.keep_alive_timeout = KEEP_ALIVE_SECONDS
    config.graceful_timeout = GRACE_SECONDS
    config.errorlog = logging.getLogger("hypercorn.error")
    config.include_server_header = False
    return config


def _stop_event(parent_pipe: int | None) -> asyncio.Event:
    """Make an event that SIGTERM, SIGINT or the end of the parent sets."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    if parent_pipe is not None:

        def parent_is_gone() -> None:
            loop.remove_reader(parent_pipe)
            stopped.set()

        loop.add_reader(parent_pipe, parent_is_gone)
    return stopped
