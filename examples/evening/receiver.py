"""A receiver of webhooks that believes nothing but a signature."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError


@dataclass(frozen=True, slots=True)
class Told:
    """An event as it was received."""

    name: str
    created_at: str
    data: dict[str, Any]


class Receiver:
    """Listens on this machine. ``told`` has each event once, by its ``webhook-id``; ``repeats`` came again."""

    def __init__(self, differ: Callable[[str], None]) -> None:
        self.told: dict[str, Told] = {}
        self.repeats = 0
        self._differ = differ
        self._verifier: Webhook | None = None
        self._runner: web.AppRunner | None = None

    def trust(self, secret: str) -> None:
        """Verify by this secret from now on."""
        self._verifier = Webhook(secret)

    async def open(self) -> str:
        """Begin to listen and return the address."""
        app = web.Application()
        app.router.add_post("/hooks", self._receive)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        return f"http://127.0.0.1:{port}/hooks"

    async def close(self) -> None:
        """Listen no longer."""
        if self._runner is not None:
            with suppress(OSError):
                await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            if self._verifier is None:
                raise WebhookVerificationError("no secret yet")
            self._verifier.verify(body, headers)
        except WebhookVerificationError as error:
            self._differ(f"A delivery does not verify: {error}")
            return web.Response(status=400)
        message_id, document = headers["webhook-id"], json.loads(body)
        if document["id"] != message_id or document["event"] != headers.get("x-webhook-event"):
            self._differ(f"Delivery {message_id}: its body names another id or event than its headers")
        if message_id in self.told:
            self.repeats += 1
        else:
            self.told[message_id] = Told(document["event"], document["created_at"], document["data"])
        return web.Response(status=204)
