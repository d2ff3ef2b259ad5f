"""The server with an application of the test's, in the test's own loop, with times short enough to wait for.

The same tests hold on both engines.
"""

import asyncio
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, await_condition
from comanda.operations.serving.engines import hypercorn, unread_bodies, uvicorn, uvicorn_connections
from comanda.operations.serving.engines.uvicorn_connections import LimitedConnection
from comanda.operations.serving.http_server import connection, connections, http1, server
from comanda.operations.serving.limits import ConnectionLimits
from comanda.platform.http.overload import LoadShedder
from refusing_application import Application

LIMITS = {
    "max_connections": 50,
    "max_connections_per_address": 0,
    "header_timeout_seconds": 2 * MAX_WAIT_SECONDS,
    "send_timeout_seconds": 2 * MAX_WAIT_SECONDS,
    "max_discarded_bytes": 65_536,
}


@dataclass
class Running:
    """A running server: where it listens, all its connections, and how to stop it."""

    port: int
    connections: connections.Connections | uvicorn_connections.OpenConnections
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task | None = None
    clients: list = field(default_factory=list)

    @property
    def open(self):
        """How many connections are open."""
        return len(self.connections._open)

    @property
    def open_connections(self):
        """The open connections, as the engine has them."""
        found = self.connections._open
        return list(found.values() if isinstance(found, dict) else found)

    @property
    def has_begun_head(self):
        """Whether a connection has received a part of the headers of a request."""
        return any(
            each._head_bytes > 0 if isinstance(each, LimitedConnection) else each._phase is connection.Phase.HEAD
            for each in self.open_connections
        )

    async def connect(self):
        """Return a connection of a client's."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        self.clients.append(Client(reader, writer))
        return self.clients[-1]

    async def until_closed(self, left=0):
        """Wait until no more than ``left`` connections are open."""

        async def are_closed():
            return self.open <= left

        await await_condition(are_closed, "connections to be closed", show=lambda: self.open)


@dataclass
class Client:
    """Sends bytes and reads answers."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, method="POST"):
        """Return the status, the headers and the body of the next answer."""
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            length = 0 if method == "HEAD" else int(headers.get("content-length", 0))
            return int(head[0].split()[1]), headers, await self.reader.readexactly(length)

    async def rest(self):
        """Return what comes until the server ends the connection."""
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            return await self.reader.read()

    def close(self):
        self.writer.transport.abort()


ENGINES = {
    "hypercorn": (hypercorn, server, "Connections"),
    "uvicorn": (uvicorn, uvicorn, "OpenConnections"),
}


@pytest.fixture(params=ENGINES)
def engine_name(request):
    """The engine of ``serving``."""
    return request.param


@pytest.fixture
def serving(monkeypatch, engine_name):
    """Run the server with an ASGI application while the block runs."""
    for module in (connections, uvicorn_connections):
        monkeypatch.setattr(module, "SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(connection, "LINGER_SECONDS", 1.0)
    for module in (http1, unread_bodies):
        monkeypatch.setattr(module, "DISCARD_SECONDS", 0.3)
    made = []
    engine, container, name = ENGINES[engine_name]

    class Noted(getattr(container, name)):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(container, name, Noted)

    @asynccontextmanager
    async def run(app, *, keep_alive_timeout=None, graceful_timeout=None, **changed):
        sock = socket.socket()
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        sock.listen()
        if keep_alive_timeout is not None:
            monkeypatch.setattr(engine, "KEEP_ALIVE_SECONDS", keep_alive_timeout)
        if graceful_timeout is not None:
            monkeypatch.setattr(engine, "GRACE_SECONDS", graceful_timeout)
        expected_wait = changed.pop("expected_wait", lambda: 0.0)
        for module in (server, uvicorn):
            monkeypatch.setattr(module, "LoadShedder", lambda: LoadShedder(expected_wait))
        limits = ConnectionLimits(**{**LIMITS, **changed})
        stopping = asyncio.Event()
        task = asyncio.create_task(engine.serve(with_lifespan(app), sock, limits, shutdown_trigger=stopping.wait))
        while not made and not task.done():  # noqa: ASYNC110 - the server announces nothing
            await asyncio.sleep(0.01)
        running = Running(port, made[-1], stopping, task)
        try:
            yield running
        finally:
            for client in running.clients:
                client.close()
            stopping.set()
            await asyncio.wait_for(task, MAX_WAIT_SECONDS)

    return run


def with_lifespan(app):
    """Answer the lifespan's messages for an application that has none."""

    async def wrapped(scope, receive, send):
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})

    return wrapped


@pytest.fixture
def application():
    return Application()
