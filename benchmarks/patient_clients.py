"""Clients as they should be: each request has a deadline, and is repeated while that is safe and worth it.

Orders have an ``Idempotency-Key`` and menus are only read, so both are repeated after a broken connection, a missing
answer, and an answer that asks to try again. Any other failure is a fault.
"""

import asyncio
import json
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Any, Self

import aiohttp

from benchmarks.world import Shop, World

ORDERS_PER_SECOND = 20
MENUS_PER_SECOND = 20
STREAMS = 4
# What Comanda tells browsers to wait before they connect again.
STREAM_PAUSE_SECONDS = 1.0
ATTEMPT_SECONDS = 10.0
GIVE_UP_SECONDS = 90.0
FIRST_PAUSE_SECONDS = 0.1
MAX_PAUSE_SECONDS = 1.0
# What a repeated request may take beyond the time for which something was cut off: an attempt that got no answer.
GRACE_SECONDS = ATTEMPT_SECONDS + 2
RETRIABLE = frozenset({502, 503, 504})


@dataclass(slots=True)
class Phase:
    """What clients saw while something was cut off."""

    name: str
    began_at: float = field(default_factory=time.monotonic)
    reconnected_at: float = 0.0
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    attempts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[str] = field(default_factory=list)
    running: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def longest_seconds(self) -> dict[str, float]:
        """The longest time from the first attempt until success, by kind of request."""
        return {kind: max(found) for kind, found in self.seconds.items()}

    def allowed_seconds(self, cut_seconds: float) -> float:
        """Return how long a request may take."""
        return cut_seconds + GRACE_SECONDS

    def describe(self) -> str:
        """Describe the phase in a line."""
        parts = [
            f"{kind}: {len(found)}, p50 {sorted(found)[len(found) // 2] * 1000:.0f} ms, longest {max(found):.1f} s, "
            f"repeated after {dict(self.attempts[kind]) or 'nothing'}"
            for kind, found in self.seconds.items()
        ]
        return f"{self.name}: {'; '.join(parts)}; faults: {self.faults[:5]}"


class Fault(Exception):
    """An answer after which a client would not repeat its request."""


class Clients:
    """Places orders, reads menus and follows orders at a steady pace while the block runs."""

    def __init__(
        self, url: str, world: World, *, orders_per_second: float = ORDERS_PER_SECOND, streams: int = STREAMS
    ) -> None:
        self._url = url
        self._world = world
        self._orders_per_second = orders_per_second
        self._streams = streams
        self._numbers = count()
        self._run = f"{time.time_ns():x}"
        self._phase = Phase("start")
        self._pacing: list[asyncio.Task[None]] = []
        # What was accepted: the number of each order by its id, and its total.
        self.orders: dict[int, str] = {}
        self.tokens: list[str] = []

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=ATTEMPT_SECONDS)
        self._session = aiohttp.ClientSession(self._url, timeout=timeout, connector=aiohttp.TCPConnector(limit=0))
        self._pacing = [
            asyncio.create_task(self._keep_pace("order", self._orders_per_second)),
            asyncio.create_task(self._keep_pace("menu", MENUS_PER_SECOND)),
            *(asyncio.create_task(self._follow(number)) for number in range(self._streams)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        await self._session.close()

    async def stop(self) -> None:
        """Send no more requests, and wait for those in progress."""
        for task in self._pacing:
            task.cancel()
        await asyncio.gather(*self._pacing, return_exceptions=True)
        self._pacing = []
        await self.finish_phase()

    async def create_endpoint(self, url: str) -> str:
        """Register an endpoint for ``order.created`` and return its secret."""
        body = {"url": url, "events": ["order.created"]}
        async with self._session.post("/api/v1/webhook-endpoints", json=body, headers=self._headers()) as response:
            document = await response.json()
            if response.status != 201:
                raise Fault(f"{response.status}: {document}")
            secret: str = document["secret"]
            return secret

    def find_shop(self, key: str) -> Shop:
        """Return where the order with this key was placed."""
        return self._world.shops[int(key.rpartition("-")[2]) % len(self._world.shops)]

    def begin(self, name: str) -> Phase:
        """Begin a phase: requests that begin from now on belong to it."""
        self._phase = Phase(name)
        return self._phase

    async def finish_phase(self) -> None:
        """Wait for the requests of the phase so far."""
        while running := list(self._phase.running):
            await asyncio.wait(running)

    async def _keep_pace(self, kind: str, rate: float) -> None:
        """Begin requests at their time, whether or not earlier ones were answered."""
        began = time.monotonic()
        for number in count():
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            phase = self._phase
            task = asyncio.create_task(self._send(phase, kind, next(self._numbers)))
            phase.running.add(task)
            task.add_done_callback(phase.running.discard)

    async def _send(self, phase: Phase, kind: str, number: int) -> None:
        began, pause = time.monotonic(), FIRST_PAUSE_SECONDS
        while time.monotonic() < began + GIVE_UP_SECONDS:
            try:
                problem = await (self._place(number) if kind == "order" else self._read_menu(number))
            except (aiohttp.ClientError, TimeoutError, OSError) as error:
                problem = type(error).__name__
            except Fault as fault:
                phase.faults.append(f"{kind}: {fault}")
                return
            if problem is None:
                phase.seconds[kind].append(time.monotonic() - began)
                return
            phase.attempts[kind][problem] += 1
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)
        phase.faults.append(f"{kind}: gave up after {GIVE_UP_SECONDS:.0f} s")

    async def _place(self, number: int) -> str | None:
        """Place an order; return why it has to be repeated, or None."""
        shop = self._world.shops[number % len(self._world.shops)]
        body = {"type": "takeaway", "customer_name": "Ada", "phone": f"+35191{number % 50:07}", "items": shop.lines}
        headers = self._headers() | {"Idempotency-Key": f"{self._run}-{number}"}
        path = f"/api/v1/restaurants/{shop.id}/orders"
        async with self._session.post(path, json=body, headers=headers) as response:
            text = await response.text()
            if problem := _find_problem(response, text):
                return problem
            if response.status not in {200, 201}:
                raise Fault(f"{response.status}: {text[:200]}")
            order: dict[str, Any] = json.loads(text)
        self.orders[order["id"]] = f"{self._run}-{number}"
        self.tokens.append(order["track_token"])
        return None

    async def _read_menu(self, number: int) -> str | None:
        shop = self._world.shops[number % len(self._world.shops)]
        async with self._session.get(f"/api/v1/menu/{shop.id}") as response:
            text = await response.text()
            if problem := _find_problem(response, text):
                return problem
            if response.status != 200:
                raise Fault(f"{response.status}: {text[:200]}")
        return None

    async def _follow(self, number: int) -> None:
        """Follow one order after another on its live page, as a browser does; note the times without a sign of life."""
        began = time.monotonic()
        while True:
            await asyncio.sleep(STREAM_PAUSE_SECONDS)
            if not self.tokens:
                continue
            path = f"/t/{self.tokens[-1 - number % len(self.tokens)]}/events"
            with suppress(aiohttp.ClientError, TimeoutError, OSError):
                # A browser waits for ever.
                timeout = aiohttp.ClientTimeout(total=None, sock_connect=ATTEMPT_SECONDS)
                headers = {"Accept": "text/event-stream"}
                async with self._session.get(path, timeout=timeout, headers=headers) as response:
                    if response.status != 200:
                        continue
                    async for _ in response.content:
                        self._phase.seconds["silence of a live page"].append(time.monotonic() - began)
                        began = time.monotonic()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._world.token}"}


def _find_problem(response: aiohttp.ClientResponse, text: str) -> str | None:
    """Return why a client repeats the request, or None if the answer is final."""
    if response.status in RETRIABLE:
        if "Retry-After" not in response.headers:
            raise Fault(f"{response.status} without Retry-After: {text[:200]}")
        return f"{response.status} {_get_code(text)}"
    if response.status == 409 and "Retry-After" in response.headers:
        return f"409 {_get_code(text)}"
    return None


def _get_code(text: str) -> str:
    with suppress(ValueError):
        return str(json.loads(text).get("message"))
    return text[:60]
