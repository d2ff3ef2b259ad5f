"""An order that a guest's agent places, and the page on which the guest follows it."""

import asyncio
import time
from typing import Any

import aiohttp

from benchmarks.people import Row, Setting
from benchmarks.processes import ProcessFailed

CARTS = 400
CONNECTIONS = 4
ACCEPTED = {"Accept": "application/json, text/event-stream"}


class Agent:
    """A guest's agent at a store: a client of its MCP server."""

    def __init__(self, setting: Setting, session: aiohttp.ClientSession) -> None:
        self._setting = setting
        self._session = session
        self._shop = setting.world.shops[3]
        self._headers = dict(ACCEPTED)

    async def log_in(self) -> None:
        """Create the token of a storefront."""
        headers = {"Authorization": f"Bearer {self._setting.world.token}"}
        body = {"name": "bench", "scopes": ["agent", "menu:read", "order:write"]}
        path = f"/api/v1/restaurants/{self._shop.id}/storefront-tokens"
        self._headers["X-Storefront-Token"] = (await self._post(path, body, headers))["token"]

    async def place_order(self) -> str:
        """Fill a cart, place it, and return the order's track token."""
        cart = await self._call("create_cart", {"type": "takeaway", "items": self._shop.lines})
        guest = {"customer_name": "Ada", "phone": "+351912345678", "idempotency_key": f"bench-{time.time_ns()}"}
        placed = await self._call("place_order", {"cart_id": cart["cart_id"], **guest})
        token: str = placed["order"]["track_token"]
        return token

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        result = (await self._post("/mcp/storefront", message, self._headers))["result"]
        if result.get("isError"):
            raise ProcessFailed(f"{tool} failed: {result}")
        return result["structuredContent"]

    async def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        async with self._session.post(path, json=body, headers=headers) as response:
            if response.status >= 300:
                raise ProcessFailed(f"{path} was answered with {response.status}: {await response.text()}")
            return await response.json()


async def measure_agent(setting: Setting) -> str:
    """Measure the CPU of both calls, and count their statements."""
    async with aiohttp.ClientSession(setting.site_url) as session:
        agent = Agent(setting, session)
        await agent.log_in()
        await _place(agent, CARTS // 4)
        before = setting.cpu_seconds()
        await _place(agent, CARTS)
        taken = setting.cpu_seconds() - before
        async with setting.statements() as counted:
            await agent.place_order()
    return f"{taken / CARTS * 1000:.1f} ms, {len(counted.texts)} statements"


async def _place(agent: Agent, carts: int) -> None:
    async def place_in_turn() -> None:
        for _ in range(carts // CONNECTIONS):
            await agent.place_order()

    await asyncio.gather(*(place_in_turn() for _ in range(CONNECTIONS)))


async def measure_tracking(setting: Setting) -> str:
    """Measure the CPU and the statements of an order's page."""
    async with aiohttp.ClientSession(setting.site_url) as session:
        agent = Agent(setting, session)
        await agent.log_in()
        requests = [setting.get_request(f"/t/{await agent.place_order()}") for _ in range(20)]
    taken = await setting.measure_cpu_ms(requests)
    async with setting.statements() as counted:
        sent = await setting.send(requests, connections=1, seconds=1)
    return f"{taken:.1f} ms, {len(counted.texts) / sent:.0f} statements"


ROWS = (
    Row("an agent's cart and order, CPU", "≤ 3 ms", measure_agent),
    Row("an order's page, CPU", "≤ 1.2 ms", measure_tracking),
)
