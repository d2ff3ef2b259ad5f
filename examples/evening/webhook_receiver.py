"""A receiver of webhooks that verifies signatures."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """An event as received."""

    name: str
    created_at: str
    data: dict[str, Any]


class WebhookReceiver:
    """Listens on this machine. ``events`` has each event once, by its ``webhook-id``; ``repeats`` counts the others."""

    def __init__(self, add_difference: Callable[[str], None]) -> None:
        self.events: dict[str, ReceivedEvent] = {}
        self.repeats = 0
        self._add_difference = add_difference
        self._verifier: Webhook | None = None
        self._runner: web.AppRunner | None = None

    def trust(self, secret: str) -> None:
        """Set the secret that verifies deliveries."""
        self._verifier = Webhook(secret)

    async def open(self) -> str:
        """Start to listen and return the URL."""
        app = web.Application()
        app.router.add_post("/hooks", self._receive)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        return f"http://127.0.0.1:{port}/hooks"

    async def close(self) -> None:
        """Stop listening."""
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
            self._add_difference(f"A delivery does not verify: {error}")
            return web.Response(status=400)
        message_id, document = headers["webhook-id"], json.loads(body)
        if document["id"] != message_id or document["event"] != headers.get("x-webhook-event"):
            self._add_difference(f"Delivery {message_id}: its body names another id or event than its headers")
        if message_id in self.events:
            self.repeats += 1
        else:
            self.events[message_id] = ReceivedEvent(document["event"], document["created_at"], document["data"])
        return web.Response(status=204)
