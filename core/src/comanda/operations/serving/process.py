"""A single process that serves HTTP or does background work until it is stopped."""

import asyncio
import errno
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack

import uvloop
from hypercorn.utils import LifespanFailureError

from comanda.basics.startup_errors import StartupError
from comanda.composition.app import create_app
from comanda.composition.sessions import open_runtime
from comanda.operations.serving.engines import Engine, load_engine
from comanda.operations.serving.exit_limit import limit_remaining_time
from comanda.operations.serving.limits import BACKLOG, ConnectionLimits
from comanda.operations.serving.memory import limit_free_memory, tune_garbage_collector
from comanda.platform.http import live_updates
from comanda.platform.loop_watchdog import watch_loop
from comanda.platform.observability import PROCESS
from comanda.platform.runtime import Runtime

BIND_RETRY_SECONDS = 0.05


class PortInUse(StartupError):
    """Another process listens on the port."""


def bind_socket(host: str, port: int, wait_seconds: float = 0) -> socket.socket:
    """Bind a socket to an address without listening; while the address is in use, retry for ``wait_seconds``.

    Raises ``PortInUse``, and ``StartupError`` for an address of another machine.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            return _bind(host, port)
        except PortInUse:
            if time.monotonic() >= deadline:
                raise
            time.sleep(BIND_RETRY_SECONDS)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise _to_port_in_use(port) from error
        raise StartupError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from error
    return sock


def _to_port_in_use(port: int) -> PortInUse:
    return PortInUse(f"Port {port} is in use. Stop the program that uses it, or choose another port with PORT=.")


class WebServer:
    """The application of one web process and the engine that serves it.

    Creating it opens nothing, so that processes forked afterwards share its memory.
    """

    def __init__(self, made: Runtime, engine: Engine = Engine.HYPERCORN, *, with_background: bool) -> None:
        self._limits = ConnectionLimits.from_settings(made.settings)
        self._serve = load_engine(engine)
        self._registry = made.registry
        self._open_port: Callable[[], None] = lambda: None
        self._app = create_app(
            made,
            with_background=with_background,
            before_serving=self._before_serving,
            after_loading=tune_garbage_collector,
        )

    def run(
        self, sock: socket.socket, *, ready: Callable[[], None] = lambda: None, parent_pipe: int | None = None
    ) -> None:
        """Serve on ``sock``, which the server takes over, until SIGTERM or SIGINT; finish the requests in progress.

        The port opens, and ``ready`` is called, once requests can be answered. Closing the other end of ``parent_pipe``
        stops the server; a server stopped before its port is open never opens it. Raises ``PortInUse`` if another
        process has started to listen meanwhile.
        """
        port = ServerPort(sock)
        stopped = asyncio.Event()

        def open_port() -> None:
            tune_garbage_collector()
            if stopped.is_set() or (parent_pipe is not None and _is_closed(parent_pipe)):
                stopped.set()
            else:
                port.open()
            if not port.is_open:
                # Not raised as an error, which would be logged as a failure of the application.
                raise asyncio.CancelledError
            watching.enter_context(watch_loop(self._registry))
            ready()

        async def wait_for_stop() -> None:
            await stopped.wait()
            # The server waits for open responses before it shuts the application down.
            live_updates.end_all_streams()

        async def main() -> None:
            _install_stop_handlers(stopped, parent_pipe)
            try:
                await self._serve(self._app, sock, self._limits, shutdown_trigger=wait_for_stop)
            except LifespanFailureError as error:
                raise StartupError(f"The application could not start: {error}") from error
            except asyncio.CancelledError:
                if port.is_open:
                    raise
                if port.failure is not None:
                    raise port.failure from None

        self._open_port = open_port
        limit_free_memory()
        with ExitStack() as watching, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main())

    def _before_serving(self) -> None:
        self._open_port()


class ServerPort:
    """The bound socket of a server, opened once it can answer."""

    def __init__(self, sock: socket.socket) -> None:
        self._number = sock.getsockname()[1]
        self._file = sock.fileno()
        self.is_open = False
        self.failure: PortInUse | None = None

    def open(self) -> None:
        """Start listening, or set ``failure`` to the reason why that is not possible."""
        # By its file descriptor, as the server has taken over the socket.
        with socket.socket(fileno=os.dup(self._file)) as sock:
            try:
                sock.listen(BACKLOG)
                self.is_open = True
            except OSError:
                self.failure = _to_port_in_use(self._number)


def _is_closed(pipe: int) -> bool:
    """Return whether the other end of a pipe, which never carries data, is closed."""
    return bool(select.select([pipe], [], [], 0)[0])


def run_worker(made: Runtime, *, ready: Callable[[], None] = lambda: None, parent_pipe: int | None = None) -> None:
    """Run background work until SIGTERM or SIGINT, or until the other end of ``parent_pipe`` is closed."""

    async def main() -> None:
        stopped = asyncio.Event()
        _install_stop_handlers(stopped, parent_pipe)
        async with open_runtime(made, with_background=True):
            tune_garbage_collector()
            watching.enter_context(watch_loop(made.registry))
            PROCESS.write("worker_started", message=f"The worker has started (process {os.getpid()}).", pid=os.getpid())
            ready()
            await stopped.wait()

    limit_free_memory()
    with ExitStack() as watching, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
    PROCESS.write("worker_stopped", message="The worker has stopped.", pid=os.getpid())


def _install_stop_handlers(stopped: asyncio.Event, parent_pipe: int | None) -> None:
    """Set ``stopped`` on SIGTERM, SIGINT or the end of the parent; the process then ends in limited time."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
        # Python calls it also while a step blocks the loop.
        signal.signal(number, limit_remaining_time)
    if parent_pipe is not None:

        def handle_parent_exit() -> None:
            loop.remove_reader(parent_pipe)
            limit_remaining_time()
            stopped.set()

        loop.add_reader(parent_pipe, handle_parent_exit)
