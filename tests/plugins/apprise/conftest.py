"""A service on loopback that records what it receives, and takes or refuses it."""

from base64 import b64decode
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from comanda.devkit.testing import process_queue
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_apprise.services import twilio
from comanda_apprise.settings import AppriseSettings
from comanda_notifications.api import OutgoingMessage, send
from comanda_notifications.services.sender import QUEUES
from pydantic import SecretStr

[SMS] = [queue for queue in QUEUES if queue.name.endswith("sms")]


@dataclass
class Service:
    port: int = 0
    status: int = 200
    received: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self):
        return f"json://127.0.0.1:{self.port}/messages/{{to}}"

    async def receive(self, request):
        self.received.append((request.path, await request.json()))
        return web.Response(status=self.status, headers={"Location": f"http://127.0.0.1:{self.port}/elsewhere"})


@pytest.fixture
async def service(app, monkeypatch):
    """A service that the operator's settings point to."""
    created = Service()
    server = web.Application()
    server.router.add_route("*", "/{path:.*}", created.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    created.port = runner.addresses[0][1]
    for name in ("sms_url", "push_url"):
        monkeypatch.setattr(runtime_module.settings_of(AppriseSettings), name, SecretStr(created.url))
    yield created
    await runner.cleanup()


@dataclass
class Twilio:
    status: int = 201
    answer: dict[str, object] = field(default_factory=dict)
    received: list[dict[str, str]] = field(default_factory=list)

    async def receive(self, request):
        credentials = b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode()
        self.received.append({**await request.post(), "path": request.path, "credentials": credentials})
        return web.json_response(self.answer, status=self.status)


@pytest.fixture
async def twilio_service(client, owner, monkeypatch):
    """Twilio on loopback, with an account that the owner has connected."""
    created = Twilio()
    server = web.Application()
    server.router.add_post("/{path:.*}", created.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(twilio, "HOST", f"http://127.0.0.1:{runner.addresses[0][1]}")
    await sql.execute("DELETE FROM notifications_message WHERE status = 'pending'")
    body = {"url": f"twilio://AC{'0' * 32}:{'1' * 32}@+15017122661/{{to}}"}
    response = await client.put("/api/v1/sms-service", headers=owner.auth, json=body)
    assert response.status_code == 200
    created.reply_url = (await response.get_json())["reply_url"]
    yield created
    await runner.cleanup()


@pytest.fixture
def send_sms(owner):
    """Send an SMS of the owner's, and return it as it is stored afterwards."""

    async def make(to="+351911111111"):
        id = await send(OutgoingMessage("sms", to, "Your table is ready."), owner_id=owner.id, purpose="test")
        await process_queue(SMS)
        return await sql.fetch_one("SELECT * FROM notifications_message WHERE id = $1", id)

    return make
