"""Granian serves on our socket, in our loop and with our stop."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.serving.engines import granian, unread_bodies
from comanda.serving.limits import ConnectionLimits
from raw_requests import request_head
from refusing_application import Application

LIMITS = ConnectionLimits(
    max_connections=50,
    max_connections_per_address=0,
    header_timeout_seconds=2 * MAX_WAIT_SECONDS,
    send_timeout_seconds=2 * MAX_WAIT_SECONDS,
    max_discarded_bytes=65_536,
)


class Lived(Application):
    """Records its lifespan."""

    def __init__(self):
        super().__init__()
        self.steps = []

    async def __call__(self, scope, receive, send):
        if scope["type"] != "lifespan":
            await super().__call__(scope, receive, send)
            return
        for step in ("startup", "shutdown"):
            await receive()
            self.steps.append(step)
            await send({"type": f"lifespan.{step}.complete"})


@asynccontextmanager
async def serving(app):
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    sock.listen()
    stopping = asyncio.Event()
    task = asyncio.create_task(granian.serve(app, sock, LIMITS, shutdown_trigger=stopping.wait))
    try:
        yield port, stopping, task
    finally:
        stopping.set()
        await asyncio.wait_for(task, MAX_WAIT_SECONDS)


async def exchange(port, request):
    """Send a request on a connection of its own and return all that is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        answer = await reader.read()
    writer.close()
    return answer


async def test_stop_finishes_requests_and_then_the_application():
    app = Lived()
    async with serving(app) as (port, stopping, task):
        request = asyncio.create_task(exchange(port, request_head("/late", Connection="close")))
        while not app.asked:  # noqa: ASYNC110 - it announces nothing
            await asyncio.sleep(0.01)
        stopping.set()

        assert (await request).startswith(b"HTTP/1.1 401")
        await asyncio.wait_for(task, MAX_WAIT_SECONDS)
        assert app.ended == ["/late"]
        assert app.steps == ["startup", "shutdown"]
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)


@pytest.mark.parametrize("size", [60_000, 3_000_000])
async def test_unread_body_leaves_its_answer_readable(size):
    app = Lived()
    async with serving(app) as (port, _, _):
        answer = await exchange(port, request_head(Content_Length=size, Connection="close") + bytes(size))

        assert answer.startswith(b"HTTP/1.1 401")
        assert answer.endswith(b"refused")


async def test_body_that_stops_arriving_closes_connection(monkeypatch):
    monkeypatch.setattr(unread_bodies, "DISCARD_SECONDS", 0.2)
    async with serving(Lived()) as (port, _, _):
        answer = await exchange(port, request_head(Content_Length=10) + b"slow")

        assert answer.startswith(b"HTTP/1.1 401")
        assert b"connection: close" in answer.lower()


async def test_application_learns_that_its_client_has_left():
    app = Lived()
    async with serving(app) as (port, _, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_head("/endless"))
        assert (await reader.readuntil(b"first")).startswith(b"HTTP/1.1 200")
        assert app.ended == []

        writer.transport.abort()

        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while app.ended != ["/endless"]:  # noqa: ASYNC110 - it announces nothing
                await asyncio.sleep(0.01)
