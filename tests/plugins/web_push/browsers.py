"""A browser with a subscription, and its push service on loopback."""

import json
import os
from base64 import urlsafe_b64encode
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import http_ece
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def encode(content):
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass
class Browser:
    """A browser with a subscription, and its push service."""

    endpoint: str = ""
    status: int = 201
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def token(self):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return json.dumps({"endpoint": self.endpoint, "keys": {"p256dh": encode(point), "auth": encode(self.auth)}})

    def read(self):
        _, body = self.received[-1]
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))

    async def receive(self, request):
        self.received.append((dict(request.headers), await request.read()))
        return web.Response(status=self.status, headers={"Location": "/elsewhere"})


@asynccontextmanager
async def open_browser():
    """Serve the push service of a browser."""
    created = Browser()
    server = web.Application()
    server.router.add_route("*", "/{path:.*}", created.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    created.endpoint = f"http://127.0.0.1:{runner.addresses[0][1]}/push/abc"
    yield created
    await runner.cleanup()
