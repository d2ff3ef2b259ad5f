"""What else goes on in an installation beside orders: owners, agents, pages, and clients that leave in the middle."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp

from benchmarks.patient_clients import ATTEMPT_SECONDS, RETRIABLE, Clients
from benchmarks.world import World

PAUSE_SECONDS = 0.05
STEPS = ("preparing", "ready", "completed")
# The answers that are right, of what visitors do. Another visitor may have taken the same order a step further.
EXPECTED = frozenset({200, 201, 204, 303, 409})


class Visitors:
    """Do one thing after another while the block runs; ``answers`` counts their statuses by what was done."""

    def __init__(self, url: str, world: World, clients: Clients) -> None:
        self._url = url
        self._world = world
        self._clients = clients
        self.answers: Counter[tuple[str, int]] = Counter()
        self.left = 0

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=ATTEMPT_SECONDS)
        self._session = aiohttp.ClientSession(self._url, timeout=timeout)
        self._task = asyncio.create_task(self._visit())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._session.close()

    @property
    def faults(self) -> dict[str, int]:
        """Answers that nobody should get, and how often."""
        return {
            f"{name}: {status}": number
            for (name, status), number in self.answers.items()
            if status not in EXPECTED | RETRIABLE
        }

    async def _visit(self) -> None:
        doings: list[Callable[[int], Awaitable[None]]] = [
            self._advance_order,
            self._list_orders,
            self._advance_order,
            self._edit_menu,
            self._advance_order,
            self._ask_tools,
            self._advance_order,
            self._open_page,
            self._advance_order,
            self._leave,
        ]
        for number in count():
            with suppress(aiohttp.ClientError, TimeoutError, OSError):
                await doings[number % len(doings)](number)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _advance_order(self, number: int) -> None:
        """Take one of the newest orders through its life."""
        if not self._clients.orders:
            return
        order_id, key = next(reversed(self._clients.orders.items()))
        shop = self._clients.find_shop(key)
        path = f"/api/v1/restaurants/{shop.id}/orders/{order_id}"
        await self._ask("read an order", "GET", path)
        for status in STEPS[: 1 + number % len(STEPS)]:
            await self._ask("advance an order", "PUT", f"{path}/status", {"status": status})

    async def _list_orders(self, number: int) -> None:
        shop = self._world.shops[number % len(self._world.shops)]
        await self._ask("list orders", "GET", f"/api/v1/restaurants/{shop.id}/orders?per_page=50&customer=Ada")

    async def _edit_menu(self, number: int) -> None:
        shop = self._world.shops[0]
        # One that nobody orders.
        item_id = shop.lines[-1]["item_id"] + 1
        await self._ask("edit a menu", "PATCH", f"/api/v1/restaurants/{shop.id}/menu/items/{item_id}/sold-out", {})

    async def _ask_tools(self, number: int) -> None:
        shop = self._world.shops[number % len(self._world.shops)]
        params = {"name": "get_menu", "arguments": {"restaurant_id": shop.id}}
        for method, given in (("tools/list", {}), ("tools/call", params)):
            await self._ask(method, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": given})

    async def _open_page(self, number: int) -> None:
        for path in (f"/s/bench-{number % len(self._world.shops)}", "/dashboard", "/docs/", "/no/such/page"):
            async with self._session.get(path, allow_redirects=False) as response:
                await response.read()
                if path != "/no/such/page":
                    self.answers[path.rstrip("0123456789"), response.status] += 1

    async def _leave(self, _number: int) -> None:
        """Send most of an order and close the connection, which must leave nothing behind."""
        address = urlsplit(self._url)
        body = json.dumps({"type": "takeaway", "customer_name": "Nobody", "items": self._world.shops[0].lines})
        head = (
            f"POST /api/v1/restaurants/{self._world.shops[0].id}/orders HTTP/1.1\r\nHost: {address.hostname}\r\n"
            f"Authorization: Bearer {self._world.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        _, writer = await asyncio.open_connection(address.hostname, address.port or 80)
        writer.write((head + body)[:-10].encode())
        await writer.drain()
        await asyncio.sleep(PAUSE_SECONDS)
        writer.transport.abort()
        self.left += 1

    async def _ask(self, name: str, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._world.token}", "Accept": "application/json, text/event-stream"}
        async with self._session.request(method, path, json=body, headers=headers) as response:
            text = await response.text()
            self.answers[name, response.status] += 1
            document: dict[str, Any] = json.loads(text) if response.content_type == "application/json" and text else {}
            return document
