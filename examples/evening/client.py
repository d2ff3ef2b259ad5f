"""The REST API, as a stranger uses it: with a token, a key for what must happen once, and patience."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp

TIMEOUT = aiohttp.ClientTimeout(total=60)
# How often a request is repeated that was refused for its number.
PATIENCE = 8


class Unexpected(Exception):
    """An answer that nobody who keeps to the documentation should get."""


@dataclass(slots=True)
class Traffic:
    """What was asked, what it was answered, and how long that took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    broken_off: int = 0
    server_errors: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """How many requests were answered."""
        return self.statuses.total()

    def slowest_of(self, share: float) -> float:
        """Return the milliseconds in which this share of the requests was answered."""
        ordered = sorted(self.seconds) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a document, with the headers in lower case."""

    status: int
    document: Any
    headers: Mapping[str, str]

    @property
    def reason(self) -> str | None:
        """Why it was refused, where the refusal says so."""
        return self.document.get("reason") if isinstance(self.document, dict) else None


class Api:
    """One Comanda, for whoever holds a token of it; ``held`` is the header that the token goes in."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        traffic: Traffic,
        token: str | None = None,
        held: str = "Authorization",
    ) -> None:
        self._session = session
        self._url = url.rstrip("/")
        self.traffic = traffic
        self._headers = {} if token is None else {held: f"Bearer {token}" if held == "Authorization" else token}

    def with_token(self, token: str | None, held: str = "Authorization") -> "Api":
        """Return the same Comanda for somebody else."""
        return Api(self._session, self._url, self.traffic, token, held)

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Send a request and return whatever the answer is; one that was too many is sent again when it may be."""
        answer = await self._once(method, path, body, key)
        for _ in range(PATIENCE):
            if answer.status != 429:
                break
            await asyncio.sleep(int(answer.headers.get("retry-after", "1")) + 0.1)
            answer = await self._once(method, path, body, key)
        if answer.status >= 500:
            self.traffic.server_errors.append(f"{method} {path}: {answer.status} {answer.document}")
        return answer

    async def do(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        """Return the document of an answer. Raises ``Unexpected`` for a refusal."""
        answer = await self.ask(method, path, body, key)
        if answer.status >= 300:
            raise Unexpected(f"{method} {path} {body or ''}: {answer.status} {answer.document}")
        return answer.document

    async def all_of(self, path: str) -> list[dict[str, Any]]:
        """Return every row of a list, page after page, oldest first.

        Lists begin with the newest, so what is added meanwhile shifts rows to the next page, where they are seen twice.
        """
        rows: dict[Any, dict[str, Any]] = {}
        number, last = 1, 1
        sign = "&" if "?" in path else "?"
        while number <= last:
            page = await self.do("GET", f"{path}{sign}per_page=100&page={number}")
            rows |= {row["id"]: row for row in page["data"]}
            number, last = number + 1, page["last_page"]
        return sorted(rows.values(), key=lambda row: int(row["id"]))

    async def break_off(self, method: str, path: str, body: Any, key: str, seconds: float) -> None:
        """Send a request and hang up after so many seconds, whether or not it was answered."""
        try:
            async with asyncio.timeout(seconds):
                await self._once(method, path, body, key)
        except TimeoutError:
            self.traffic.broken_off += 1

    async def _once(self, method: str, path: str, body: Any, key: str | None) -> Answer:
        headers = {**self._headers, "Idempotency-Key": key} if key else self._headers
        began = time.perf_counter()
        url = f"{self._url}/api/v1{path}"
        async with self._session.request(method, url, json=body, headers=headers, timeout=TIMEOUT) as response:
            is_json = response.content_type == "application/json"
            document = await response.json() if is_json else await response.text()
            self.traffic.statuses[response.status] += 1
            self.traffic.seconds.append(time.perf_counter() - began)
            lower = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, document, lower)


class Clock:
    """The evening's clock: it runs ``speed`` times as fast as the one on the wall, and counts minutes.

    When the evening ``is_over``, nobody waits any more.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._end = asyncio.Event()
        self._began = time.monotonic()

    @property
    def minute(self) -> float:
        """How many minutes of the evening have passed."""
        return (time.monotonic() - self._began) * self._speed / 60

    async def until(self, minute: float) -> None:
        """Wait until so many minutes of the evening have passed."""
        await self.sleep(minute - self.minute)

    async def sleep(self, minutes: float, at_least_seconds: float = 0.0) -> None:
        """Wait for so many of the evening's minutes, and ``at_least_seconds`` on the wall."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(minutes * 60 / self._speed, at_least_seconds, 0)):
                await self._end.wait()

    @property
    def is_over(self) -> bool:
        """Tell whether everybody may go home."""
        return self._end.is_set()

    def end(self) -> None:
        """Let everybody go home who has nothing in hand."""
        self._end.set()
