"""A client of the REST API with tokens, idempotency keys and retries."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp

TIMEOUT = aiohttp.ClientTimeout(total=300)
# Retries of a request that exceeded the rate limit, or whose answer was lost.
MAX_RETRIES = 8


class UnexpectedAnswer(Exception):
    """An answer that correct requests should not get."""


@dataclass(slots=True)
class Traffic:
    """Statistics of requests: statuses and durations."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    broken_off: int = 0
    lost: int = 0
    server_errors: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """The number of requests that were answered."""
        return self.statuses.total()

    def get_percentile_ms(self, share: float) -> float:
        """Return the milliseconds within which this share of the requests was answered."""
        ordered = sorted(self.seconds) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, a document and the headers in lower case; ``is_repeated`` if the answer of an earlier try was lost."""

    status: int
    document: Any
    headers: Mapping[str, str]
    is_repeated: bool = False

    @property
    def reason(self) -> str | None:
        """The reason of a refusal, if it has one."""
        return self.document.get("reason") if isinstance(self.document, dict) else None


class Api:
    """The API with one token; ``held`` is the header for the token."""

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
        self._online = asyncio.Event()
        self._online.set()
        self._headers = {} if token is None else {held: f"Bearer {token}" if held == "Authorization" else token}

    def with_token(self, token: str | None, held: str = "Authorization") -> "Api":
        """Return the same API with another token."""
        return Api(self._session, self._url, self.traffic, token, held)

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Send a request and return the answer, once the device is online.

        Retry if it exceeds the rate limit, if the server is overloaded, or if the connection is lost before the answer.
        """
        is_repeated, answer = False, None
        for _ in range(1 + MAX_RETRIES):
            await self._online.wait()
            try:
                answer = await self._send_once(method, path, body, key)
            except aiohttp.ClientConnectionError:
                self.traffic.lost += 1
                is_repeated = True
                await asyncio.sleep(0.5)
                continue
            if answer.status not in {429, 503}:
                break
            await asyncio.sleep(int(answer.headers.get("retry-after", "1")) + 0.1)
        if answer is None:
            raise UnexpectedAnswer(f"{method} {path} got no answer")
        if answer.status >= 500:
            self.traffic.server_errors.append(f"{method} {path}: {answer.status} {answer.document}")
        return replace(answer, is_repeated=is_repeated)

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Hold the requests of this device back while the block runs."""
        self._online.clear()
        try:
            yield
        finally:
            self._online.set()

    async def do(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        """Return the document of an answer. Raises ``Unexpected`` for a refusal."""
        answer = await self.ask(method, path, body, key)
        if answer.status >= 300:
            raise UnexpectedAnswer(f"{method} {path} {body or ''}: {answer.status} {answer.document}")
        return answer.document

    async def list_all(self, path: str) -> list[dict[str, Any]]:
        """Return all rows of a paged list, oldest first.

        Lists begin with the newest row, so new rows shift others to the next page, where they appear twice.
        """
        rows: dict[Any, dict[str, Any]] = {}
        number, last = 1, 1
        sign = "&" if "?" in path else "?"
        while number <= last:
            page = await self.do("GET", f"{path}{sign}per_page=100&page={number}")
            rows |= {row["id"]: row for row in page["data"]}
            number, last = number + 1, page["last_page"]
        return sorted(rows.values(), key=lambda row: int(row["id"]))

    async def send_and_abort(self, method: str, path: str, body: Any, key: str, seconds: float) -> None:
        """Send a request and close the connection after some seconds, answered or not."""
        try:
            async with asyncio.timeout(seconds):
                await self._send_once(method, path, body, key)
        except (TimeoutError, aiohttp.ClientConnectionError):
            self.traffic.broken_off += 1

    async def _send_once(self, method: str, path: str, body: Any, key: str | None) -> Answer:
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


class EveningClock:
    """A clock that runs ``speed`` times as fast as real time and counts minutes.

    Once the evening ``is_over``, waits return at once.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._end = asyncio.Event()
        self._began = time.monotonic()

    @property
    def minute(self) -> float:
        """The minutes of the evening that have passed."""
        return (time.monotonic() - self._began) * self._speed / 60

    async def until(self, minute: float) -> None:
        """Wait until a minute of the evening."""
        await self.sleep(minute - self.minute)

    async def sleep(self, minutes: float, at_least_seconds: float = 0.0) -> None:
        """Wait for minutes of the evening, and at least ``at_least_seconds`` of real time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(minutes * 60 / self._speed, at_least_seconds, 0)):
                await self._end.wait()

    @property
    def is_over(self) -> bool:
        """Whether the evening has ended."""
        return self._end.is_set()

    def end(self) -> None:
        """End the evening."""
        self._end.set()
