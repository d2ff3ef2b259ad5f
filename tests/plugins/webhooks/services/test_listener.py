"""The local receiver of ``comanda listen``."""

import asyncio
import io
import os
import signal
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import aiohttp
import click
import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda_webhooks.services import listener as listen
from comanda_webhooks.services import signatures
from hypercorn.asyncio import serve
from hypercorn.config import Config
from rich.console import Console

BODY = b'{"id":"msg_1","event":"order.created","data":{"total":"12.50"}}'


@pytest.fixture
def output():
    return io.StringIO()


@asynccontextmanager
async def posting(listener, secret, body=BODY):
    """Post a signed body to a listener and return the response."""
    headers = signatures.to_signed_headers("msg_1", datetime.now(UTC), "order.created", BODY, [secret])
    async with (
        listen.serve(listener.receive, 0) as address,
        aiohttp.ClientSession() as session,
        session.post(address + "any/path", data=body, headers=headers) as response,
    ):
        yield response


async def test_verified_delivery_returns_204_and_is_printed(output):
    secret = signatures.generate_secret()
    listener = listen.WebhookListener(Console(file=output, width=120), secret)

    async with posting(listener, secret) as response:
        assert response.status == 204

    assert "order.created  msg_1  verified" in output.getvalue()
    assert '"total": "12.50"' in output.getvalue()


@pytest.mark.parametrize("body", [BODY.replace(b"12.50", b"99.99"), b""])
async def test_unverified_delivery_returns_400(output, body):
    secret = signatures.generate_secret()
    listener = listen.WebhookListener(Console(file=output, width=120), secret)

    async with posting(listener, secret, body) as response:
        assert response.status == 400

    assert "refused: No matching signature found" in output.getvalue()


async def test_missing_secret_is_reported(output):
    async with posting(
        listen.WebhookListener(Console(file=output, width=120)), signatures.generate_secret()
    ) as response:
        assert response.status == 204

    assert "not verified, no secret given" in output.getvalue()


@pytest.fixture
async def served(app):
    """Yield the address of the application on its own port."""
    stop = asyncio.Event()
    config = Config()
    config.bind = ["127.0.0.1:0"]
    config.accesslog = config.errorlog = None
    sockets = config.create_sockets()
    port = sockets.insecure_sockets[0].getsockname()[1]
    config.create_sockets = lambda: sockets

    async def call(scope, receive, send):
        if scope["type"] == "lifespan":  # the fixture ``app`` has started it already
            raise RuntimeError
        await app(scope, receive, send)

    server = asyncio.create_task(serve(call, config, shutdown_trigger=stop.wait))
    yield f"http://127.0.0.1:{port}"
    stop.set()
    await server


async def test_endpoint_is_registered_and_removed(served, owner, client, emit_events, sender, output):
    registration = listen.ListenerRegistration(served, owner.token, ["order.*"])
    listener = listen.WebhookListener(Console(file=output, width=120))
    arrived = asyncio.Event()

    async def receive(request):
        response = await listener.receive(request)
        arrived.set()
        return response

    async with (
        listen.serve(receive, 0) as address,
        listen.register_endpoint(registration, address) as (endpoint_id, secret),
    ):
        listener.set_secret(secret)
        listed = await (await client.get("/api/v1/webhook-endpoints", headers=owner.auth)).get_json()
        assert [(one["id"], one["url"], one["events"]) for one in listed["data"]] == [
            (endpoint_id, address, ["order.*"])
        ]
        await emit_events()
        await sender.process_all_due()
        await asyncio.wait_for(arrived.wait(), MAX_WAIT_SECONDS)

    assert "verified" in output.getvalue()
    left = await (await client.get("/api/v1/webhook-endpoints", headers=owner.auth)).get_json()
    assert left["data"] == []


async def test_refused_registration_raises_with_reason(served, owner):
    registration = listen.ListenerRegistration(served, owner.token, ["no.such"])

    with pytest.raises(click.ClickException, match=r"Registration failed: Unknown event no\.such"):
        async with listen.register_endpoint(registration, "http://127.0.0.1:9000/"):
            pass


async def test_unreachable_server_raises_with_reason(owner):
    registration = listen.ListenerRegistration("http://127.0.0.1:9", owner.token, ["*"])

    with pytest.raises(click.ClickException, match=r"Comanda does not respond at http://127\.0\.0\.1:9\."):
        async with listen.register_endpoint(registration, "http://127.0.0.1:9000/"):
            pass


async def test_port_in_use_raises_with_reason(output):
    receive = listen.WebhookListener(Console(file=output)).receive
    async with listen.serve(receive, 0) as address:
        port = int(address.rstrip("/").rpartition(":")[2])
        with pytest.raises(click.ClickException, match=f"Cannot listen on port {port}"):
            async with listen.serve(receive, port):
                pass


async def test_listener_runs_until_interrupted(monkeypatch):
    is_listening = asyncio.Event()

    class SilentConsole(Console):
        def print(self, *_):
            is_listening.set()

    monkeypatch.setattr(listen, "Console", SilentConsole)
    task = asyncio.create_task(listen.run_listener(0, None, None))
    await is_listening.wait()
    os.kill(os.getpid(), signal.SIGTERM)

    await asyncio.wait_for(task, MAX_WAIT_SECONDS)
