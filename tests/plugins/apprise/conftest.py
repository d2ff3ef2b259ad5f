"""A service on loopback that records what it receives, and takes or refuses it."""

from dataclasses import dataclass, field

import pytest
from aiohttp import web
from comanda.platform import runtime as runtime_module
from comanda_apprise.settings import AppriseSettings
from pydantic import SecretStr


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
