"""A receiver of webhooks on any address, which may take its time."""

import asyncio
from collections import Counter, defaultdict
from types import TracebackType
from typing import Self

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError


class SlowReceiver:
    """Listens while the block runs; answers ``delay_seconds`` after it has read a delivery."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._ids_by_order: defaultdict[int, set[str]] = defaultdict(set)
        self._deliveries: Counter[str] = Counter()
        self.secret = ""
        self.delay_seconds = 0.0
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/hooks", self._take)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/hooks"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    @property
    def orders(self) -> set[int]:
        """The orders that were delivered."""
        return set(self._ids_by_order)

    @property
    def repeated(self) -> int:
        """How many deliveries came once more."""
        return sum(number - 1 for number in self._deliveries.values())

    def count_ambiguous(self) -> int:
        """Count orders that were delivered under more than one id, by which receivers recognize repeats."""
        return sum(len(ids) > 1 for ids in self._ids_by_order.values())

    async def _take(self, request: web.Request) -> web.Response:
        if not self.secret:
            # An order that was placed while the endpoint was being created.
            return web.Response(status=503)
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            message = Webhook(self.secret).verify(body, headers)
        except WebhookVerificationError:
            return web.Response(status=401)
        if self.delay_seconds:
            await asyncio.sleep(self.delay_seconds)
        self._deliveries[headers["webhook-id"]] += 1
        self._ids_by_order[message["data"]["order_id"]].add(headers["webhook-id"])
        return web.Response()
