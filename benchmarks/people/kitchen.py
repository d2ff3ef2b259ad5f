"""Orders on the screens of a kitchen."""

import asyncio
import re
import time
from contextlib import suppress
from statistics import median, quantiles
from typing import Any

import aiohttp

from benchmarks.people import Row, Setting
from benchmarks.processes import ProcessFailed

SCREENS = 20
ORDERS_PER_SECOND = 20
SECONDS = 15
# Tickets are sent oldest first.
NEWEST_ORDER = re.compile(rb'.*"order_id":(\d+)', re.DOTALL)


class Kitchen:
    """A store's screens, each with a connection of its own, and the orders that are placed meanwhile."""

    def __init__(self, setting: Setting, session: aiohttp.ClientSession) -> None:
        self._setting = setting
        self._session = session
        self._shop = setting.world.shops[2]
        self._owner = {"Authorization": f"Bearer {setting.world.token}"}
        self._accepted: dict[int, float] = {}
        self.order_ms: list[float] = []
        self.shown_ms: list[float] = []
        self.events = self.event_bytes = 0

    async def log_in(self) -> dict[str, str]:
        """Add a cook and return the headers of a screen."""
        path = f"/api/v1/restaurants/{self._shop.id}/staff"
        body = {"name": f"Ada {time.time_ns()}", "role": "kitchen", "email": f"ada{time.time_ns()}@example.com",
                "password": self._setting.password}  # fmt: skip
        await self._post(path, body, self._owner)
        found = await self._post(f"{path}/login", {"email": body["email"], "password": body["password"]}, {})
        return {"Authorization": f"Bearer {found['token']}"}

    async def show(self, headers: dict[str, str]) -> None:
        """Follow the board until cancelled, and connect again as a screen does."""
        seen = 0
        while True:
            async with self._session.get("/api/v1/staff/kds/stream", headers=headers) as stream:
                stream.raise_for_status()
                data = bytearray()
                async for part in stream.content.iter_any():
                    data += part
                    if not part.endswith(b"\n\n"):
                        continue
                    now = time.monotonic()
                    if found := NEWEST_ORDER.match(data):
                        self.events += 1
                        self.event_bytes += len(data)
                        newest = int(found[1])
                        self.shown_ms += [
                            (now - at) * 1000 for order_id, at in self._accepted.items() if seen < order_id <= newest
                        ]
                        seen = max(seen, newest)
                    data.clear()

    async def place_orders(self) -> None:
        """Place orders at a steady pace, each whether or not those before were answered."""
        began_at = time.monotonic()
        placing = []
        for number in range(ORDERS_PER_SECOND * SECONDS):
            await asyncio.sleep(began_at + number / ORDERS_PER_SECOND - time.monotonic())
            placing.append(asyncio.create_task(self._place_order(f"kitchen-{time.time_ns()}")))
        await asyncio.gather(*placing)

    async def _place_order(self, key: str) -> None:
        began_at = time.monotonic()
        body = {"type": "takeaway", "customer_name": "Ada", "items": self._shop.lines}
        path = f"/api/v1/restaurants/{self._shop.id}/orders"
        order = await self._post(path, body, {**self._owner, "Idempotency-Key": key})
        self._accepted[order["id"]] = time.monotonic()
        self.order_ms.append((time.monotonic() - began_at) * 1000)

    async def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        async with self._session.post(path, json=body, headers=headers) as response:
            if response.status >= 300:
                raise ProcessFailed(f"{path} was answered with {response.status}: {await response.text()}")
            return await response.json()


async def measure_tickets(setting: Setting) -> str:
    """Measure from an order's answer until each screen has its ticket."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(setting.site_url, connector=connector, read_bufsize=2**20) as session:
        kitchen = Kitchen(setting, session)
        headers = await kitchen.log_in()
        screens = [asyncio.create_task(kitchen.show(headers)) for _ in range(SCREENS)]
        await asyncio.sleep(1)
        before = setting.cpu_seconds()
        await kitchen.place_orders()
        taken = setting.cpu_seconds() - before
        await asyncio.sleep(1)
        for screen in screens:
            screen.cancel()
            with suppress(asyncio.CancelledError):
                await screen
    return (
        f"p50 {median(kitchen.shown_ms):.0f} ms, p99 {_p99(kitchen.shown_ms):.0f} ms, "
        f"order p99 {_p99(kitchen.order_ms):.1f} ms, {taken / SECONDS:.2f} s of CPU a second"
    )


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


ROWS = (
    Row(
        f"kitchen, order accepted → ticket shown, {SCREENS} screens, {ORDERS_PER_SECOND} orders/s",
        "p50 ≤ 40 ms, p99 ≤ 100 ms, order p99 ≤ 10 ms",
        measure_tickets,
    ),
)
