"""The server with an application of the test's, in the test's own loop, with times short enough to wait for."""

import asyncio
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from comanda.http.overload import LoadShedder
from comanda.serving.http_server import connection, connections, http1, server
from comanda.serving.http_server.limits import ConnectionLimits
from comanda.serving.process import _create_config
from refusing_application import Application

LIMITS = {
    "max_connections": 50,
    "max_connections_per_address": 0,
    "header_timeout_seconds": 5,
    "send_timeout_seconds": 5,
    "max_discarded_bytes": 65_536,
}


@dataclass
class Running:
    """A running server: where it listens, all its connections, and how to stop it."""

    port: int
    connections: connections.Connections
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task | None = None
    clients: list = field(default_factory=list)

    @property
    def open(self):
        """How many connections are open."""
        return len(self.connections._open)

    async def connect(self):
        """Return a connection of a client's."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        self.clients.append(Client(reader, writer))
        return self.clients[-1]

    async def until_closed(self, seconds=5, left=0):
        """Wait until no more than ``left`` connections are open."""
        async with asyncio.timeout(seconds):
            while self.open > left:  # noqa: ASYNC110 - the server announces nothing
                await asyncio.sleep(0.01)


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
        async with asyncio.timeout(10):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            length = 0 if method == "HEAD" else int(headers.get("content-length", 0))
            return int(head[0].split()[1]), headers, await self.reader.readexactly(length)

    async def rest(self):
        """Return what comes until the server ends the connection."""
        async with asyncio.timeout(10):
            return await self.reader.read()

    def close(self):
        self.writer.transport.abort()


@pytest.fixture
def serving(monkeypatch):
    """Run the server with an ASGI application while the block runs."""
    monkeypatch.setattr(connections, "SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(connection, "LINGER_SECONDS", 1.0)
    monkeypatch.setattr(http1, "DISCARD_SECONDS", 0.3)
    made = []

    class Noted(connections.Connections):
        def __init__(self, served):
            super().__init__(served)
            made.append(self)

    monkeypatch.setattr(server, "Connections", Noted)

    @asynccontextmanager
    async def run(app, **changed):
        sock = socket.socket()
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        sock.listen()
        config = _create_config(sock)
        for name in ("keep_alive_timeout", "graceful_timeout"):
            setattr(config, name, changed.pop(name, getattr(config, name)))
        shedder = LoadShedder(changed.pop("expected_wait", lambda: 0.0))
        limits = ConnectionLimits(**{**LIMITS, **changed})
        stopping, started = asyncio.Event(), asyncio.Event()

        async def wait():
            started.set()
            await stopping.wait()

        task = asyncio.create_task(server.serve(with_lifespan(app), config, limits, shedder, shutdown_trigger=wait))
        await started.wait()
        running = Running(port, made[-1], stopping, task)
        try:
            yield running
        finally:
            for client in running.clients:
                client.close()
            stopping.set()
            await asyncio.wait_for(task, 40)

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
