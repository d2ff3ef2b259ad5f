"""Receivers on loopback that record deliveries, and events to deliver to them."""

import asyncio
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from comanda.basics import clock as clock_module
from comanda.contracts import StoredEvent
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.queue.consumer import QueueConsumer
from comanda_webhooks import event_handlers, settings
from comanda_webhooks.client import HttpReceiver
from comanda_webhooks.services import sender as sender_module
from standardwebhooks import Webhook


@dataclass
class Received:
    headers: dict[str, str]
    body: bytes

    @property
    def id(self):
        return self.headers["webhook-id"]

    def verify(self, secret):
        return Webhook(secret).verify(self.body, self.headers)


@dataclass
class Inbox:
    """A receiver that responds with ``status`` and ``answer_headers``, but only once ``is_open`` is set."""

    url: str = ""
    status: int = 204
    answer_headers: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    in_flight: int = 0
    most_in_flight: int = 0

    async def receive(self, request):
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            headers = {name.lower(): value for name, value in request.headers.items()}
            async with self.arrived:
                self.received.append(Received(headers, await request.read()))
                self.arrived.notify_all()
            await self.is_open.wait()
        finally:
            self.in_flight -= 1
        return web.Response(status=self.status, headers=self.answer_headers)

    async def wait_for(self, count):
        async with asyncio.timeout(MAX_WAIT_SECONDS), self.arrived:
            await self.arrived.wait_for(lambda: len(self.received) >= count)


@pytest.fixture
async def new_inbox(app):
    """Create receivers."""
    runners = []

    async def open_inbox(**options):
        inbox = Inbox(**options)
        inbox.is_open.set()
        server = web.Application()
        server.router.add_post("/{path:.*}", inbox.receive)
        runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        runners.append((inbox, runner))
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        inbox.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hooks"
        return inbox

    yield open_inbox
    for inbox, runner in runners:
        inbox.is_open.set()
        await runner.cleanup()


@pytest.fixture
async def inbox(new_inbox):
    return await new_inbox()


@pytest.fixture
async def receiver(app):
    async with HttpReceiver(allowed=settings.get_allowed_targets(), timeout_seconds=2) as receiver:
        yield receiver


@pytest.fixture
def new_consumer():
    """Create consumers of deliveries, each as in a process of its own."""

    def create(receiver, **limits):
        return QueueConsumer(sender_module.QUEUE, sender_module.create_work(receiver, **limits))

    return create


@pytest.fixture
async def sender(receiver, new_consumer):
    """Return a sender with no pending deliveries of other tests."""
    await sql.execute(
        """UPDATE webhooks_delivery SET status = 'failed', finished_at = now(), next_attempt_at = NULL
           WHERE status = 'pending'"""
    )
    return new_consumer(receiver)


@pytest.fixture
def create_endpoint(client, owner):
    """Create an endpoint over the API and return its record with the secret."""

    async def create(url, events=("*",), auth=None):
        response = await client.post(
            "/api/v1/webhook-endpoints", json={"url": url, "events": list(events)}, headers=auth or owner.auth
        )
        assert response.status_code == 201, await response.get_json()
        return await response.get_json()

    return create


@pytest.fixture
def emit_events(owner):
    """Emit events of the owner and queue their deliveries, as the dispatcher does."""
    last = iter(range(2**40 + id(object()) % 2**32 * 1000, 2**62))

    async def emit_events(name="order.created", /, count=1, of=owner, **data):
        events = [
            StoredEvent(next(last), of.id, None, name, data or {"order_id": number}, clock_module.now())
            for number in range(count)
        ]
        await event_handlers.deliver_events(events)
        return events

    return emit_events


@pytest.fixture
def get_deliveries():
    """Return an endpoint's deliveries from the database, oldest first."""

    async def read(endpoint):
        return await sql.fetch("SELECT * FROM webhooks_delivery WHERE endpoint_id = $1 ORDER BY id", endpoint["id"])

    return read


@pytest.fixture
def event_names(app):
    return list(runtime_module.registry().events)


@pytest.fixture
def call_endpoint(client, owner):
    """Send a request to a path below an endpoint."""

    async def call(endpoint, rest, method="GET", **options):
        path = f"/api/v1/webhook-endpoints/{endpoint['id']}{rest}"
        response = await client.open(path, method=method, headers=owner.auth, **options)
        return response.status_code, await response.get_json()

    return call


@pytest.fixture
async def failed_delivery(inbox, create_endpoint, emit_events, sender, get_deliveries):
    """Return an endpoint with a failed delivery, whose receiver works again, and the delivery."""
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events(order_id=7)
    await sql.execute("UPDATE webhooks_delivery SET attempts = 4 WHERE endpoint_id = $1", endpoint["id"])
    await sender.process_all_due()
    [row] = await get_deliveries(endpoint)
    assert row["status"] == "failed"
    inbox.status = 200
    return endpoint, row


@pytest.fixture
def build_path():
    def build_path(endpoint, rest=""):
        return f"/api/v1/webhook-endpoints/{endpoint['id']}{rest}"

    return build_path
