"""Use of the hostile plugin's features, by requests that hang, fail or are refused while others go on."""

import asyncio
from collections import Counter
from contextlib import suppress
from itertools import cycle
from types import TracebackType
from typing import Any, Final, Self

import aiohttp

AT_ONCE: Final = 4
SECONDS: Final = 60
WAYS: Final = ("hang", "stubborn", "exit", "fail", "unencodable")


class Attacks:
    """Requests to the hostile plugin, a few at once, while the block runs."""

    def __init__(self, site: str, yard: dict[str, Any], modes: list[str]) -> None:
        self._session = aiohttp.ClientSession(site, timeout=aiohttp.ClientTimeout(total=SECONDS))
        self._yard = yard
        self._acts = cycle(
            [
                *(("POST", f"/api/v1/restaurants/{yard['store']}/orders", mode) for mode in modes),
                *(("GET", f"/api/v1/hostile/{way}", "") for way in WAYS),
                ("GET", f"/api/v1/hostile/lock?store={yard['store']}", ""),
                ("GET", "/hostile/hang", ""),
                ("GET", "/hostile/fail", ""),
                ("POST", "/mcp/catalog", "hostile_hang"),
                ("POST", "/mcp/catalog", "hostile_fail"),
            ]
        )
        self.statuses: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        self._loops = [asyncio.create_task(self._repeat()) for _ in range(AT_ONCE)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self._session.close()

    async def _repeat(self) -> None:
        while True:
            method, path, what = next(self._acts)
            body = None
            if path.startswith("/mcp"):
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": what, "arguments": {}}}
            elif method == "POST":
                body = {"type": what, "items": [{"item_id": self._yard["item"], "quantity": 1}]}
            with suppress(aiohttp.ClientError, TimeoutError, OSError):
                async with self._session.request(method, path, json=body, headers=self._yard["headers"]) as response:
                    await response.read()
                    self.statuses[f"{what or path.partition('?')[0]}: {response.status}"] += 1
            await asyncio.sleep(0.05)
