"""The HTTP client for receivers: one POST per attempt, with every failure reported as a response."""

from __future__ import annotations

import asyncio
import os
import re
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from comanda.basics import LazyModule
from comanda.platform.http_client import (
    NOTHING_ALLOWED,
    Address,
    AllowedTargets,
    CheckedResolver,
    DeliveryTarget,
    ForbiddenTarget,
    Lookup,
    check_url,
    find_addresses,
    is_public,
)

if TYPE_CHECKING:
    import aiohttp
else:
    # Most processes send no such request, and are spared 6 MiB of memory and a fifth of a second at start.
    aiohttp = LazyModule("aiohttp")

TIMEOUT_SECONDS = 10.0  # in total, for name resolution, connection, TLS, headers and body
MAX_BODY_BYTES = 4096
MAX_SNIPPET_BYTES = 1024
MAX_RETRY_AFTER_SECONDS = 3600
# Many servers close an idle connection after 5 seconds, and a POST sent at that moment is a failed attempt.
KEEPALIVE_SECONDS = 4.0
LOOKUP_THREADS = 32
URL_CHECK_TIMEOUT_SECONDS = 3.0

SECRET_PATTERNS = (
    (re.compile(r"whsec_[\w+/=-]+", re.ASCII), "whsec_***"),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]+", re.ASCII | re.IGNORECASE), r"\1 ***"),
    (re.compile(r"\b(own|sf|drv|cus|stf|app|rt)_[0-9A-Za-z]{16,}", re.ASCII), r"\1_***"),
)


@dataclass(frozen=True)
class ReceiverResponse:
    """The outcome of one attempt.

    ``status`` is None if no status line was received. ``error`` is one line for the delivery log, or None if a complete
    response was received, whatever its status. ``snippet`` is the beginning of the body, at most 1 kB, with secrets
    masked. ``retry_after_seconds`` is set on 429 and 503 only, at most 3600.
    """

    status: int | None
    snippet: str
    error: str | None
    retry_after_seconds: int | None
    duration_ms: int

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx and the body arrived in time."""
        return self.error is None and self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the receiver wants no more deliveries."""
        return self.status == 410


class Receiver(Protocol):
    """A client that can post deliveries to receivers."""

    async def validate_url(self, url: str) -> str:
        """Check a URL before it is saved, and return it in the form that is connected to.

        Raises ``ForbiddenTarget``. A name that does not resolve yet is accepted, because each delivery checks it again.
        """

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> ReceiverResponse:
        """Send ``body`` as JSON. Errors of the URL, the network or the receiver are returned, never raised."""


class HttpReceiver:
    """The client over HTTP, an async context manager that keeps connections to busy receivers open.

    It does not limit connections: the caller limits the attempts in flight, and waiting for a free connection would
    use up a receiver's ten seconds. ``ssl_context`` replaces the system's certificate authorities.
    """

    def __init__(
        self,
        *,
        allowed: AllowedTargets = NOTHING_ALLOWED,
        lookup: Lookup | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = allowed
        self._timeout_seconds = timeout_seconds
        self._ssl_context = ssl_context
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="webhook-lookup")
        self._lookup = lookup or self._look_up
        self._sessions: dict[bool, aiohttp.ClientSession] = {}  # by whether only allowed networks are acceptable
        self._check = lru_cache(maxsize=4096)(partial(check_url, allowed=allowed))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def validate_url(self, url: str) -> str:
        """Check a URL before it is saved, and return it in the form connected to. Raises ``ForbiddenTarget``."""
        target = self._check(url)
        if target.address is None:
            accepts = self._allowed.covers if target.only_allowed else self._is_acceptable
            try:
                async with asyncio.timeout(URL_CHECK_TIMEOUT_SECONDS):
                    await CheckedResolver(self._lookup, accepts).resolve(target.host)
            except OSError:  # TimeoutError is one
                pass
        return str(target.url)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> ReceiverResponse:
        """Send ``body`` as JSON. Errors of the URL, the network or the receiver are returned, never raised."""
        started = time.perf_counter()
        status, content, error, retry_after = None, b"", None, None
        try:
            target = self._check(url)
            async with (
                asyncio.timeout(self._timeout_seconds),
                self._get_session(target).post(
                    target.url, data=body, headers=headers, allow_redirects=False
                ) as response,
            ):
                status = response.status
                if status in (429, 503):
                    retry_after = parse_retry_after(response.headers.get("Retry-After", ""), datetime.now(UTC))
                content = await _read_beginning(response)
        except (aiohttp.ClientError, OSError, ForbiddenTarget) as failure:
            error = _to_error(failure, self._timeout_seconds)
        duration_ms = round((time.perf_counter() - started) * 1000)
        return ReceiverResponse(status, _to_snippet(content), error, retry_after, duration_ms)

    def _create_session(self, accepts: Callable[[Address], bool]) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=CheckedResolver(self._lookup, accepts),
                use_dns_cache=False,  # every new connection is checked again
                limit=0,
                keepalive_timeout=KEEPALIVE_SECONDS,
                ssl=self._ssl_context or True,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            # An undecoded body cannot be a decompression bomb.
            auto_decompress=False,
            skip_auto_headers=("Accept-Encoding",),
            headers={"Content-Type": "application/json", "User-Agent": "Comanda-Webhooks/1"},
            # asyncio.timeout limits the time: aiohttp rounds its own total above five seconds up to whole seconds.
            timeout=aiohttp.ClientTimeout(total=None),
            read_bufsize=MAX_BODY_BYTES,
            trust_env=False,
        )

    def _is_acceptable(self, address: Address) -> bool:
        return is_public(address) or self._allowed.covers(address)

    def _get_session(self, target: DeliveryTarget) -> aiohttp.ClientSession:
        # Two pools, because the resolver sees only the host: a connection opened for a public URL must never be reused
        # for a URL that is acceptable only inside the allowed networks.
        session = self._sessions.get(target.only_allowed)
        if session is None:
            session = self._create_session(self._allowed.covers if target.only_allowed else self._is_acceptable)
            self._sessions[target.only_allowed] = session
        return session

    async def _look_up(self, host: str) -> Sequence[str]:
        # A separate thread pool, so that slow name servers do not block the process's other threads.
        return await find_addresses(host, self._threads)


def parse_retry_after(value: str, now: datetime) -> int | None:
    """Return the seconds of a ``Retry-After`` header, a number or an HTTP date, between 0 and 3600; None if invalid.

    Source: RFC 9110, section 10.2.3.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        # Python refuses to parse a number with very many digits, but it is more than an hour.
        seconds = int(value) if len(value) < 10 else MAX_RETRY_AFTER_SECONDS
    else:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        if moment.tzinfo is None:  # -0000: UTC, with the local time zone unknown
            moment = moment.replace(tzinfo=UTC)
        seconds = round((moment - now).total_seconds())
    return max(0, min(seconds, MAX_RETRY_AFTER_SECONDS))


def mask_secrets(text: str) -> str:
    """Mask signing secrets and tokens that a receiver may echo, so that the delivery log does not store them."""
    for pattern, replacement in SECRET_PATTERNS:
        text = pattern.sub(replacement, text)
    return text


async def _read_beginning(response: aiohttp.ClientResponse) -> bytes:
    """Return the first 4 kB of the body. aiohttp closes the connection of an unfinished response."""
    content = bytearray()
    while chunk := await response.content.read(MAX_BODY_BYTES - len(content)):  # reading 0 bytes gives none
        content += chunk
    return bytes(content)


def _to_snippet(content: bytes) -> str:
    if not content:
        return ""
    # PostgreSQL cannot store NUL in text.
    text = mask_secrets(content.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}"))
    return text.encode("utf-8")[:MAX_SNIPPET_BYTES].decode("utf-8", "ignore")


def _to_error(failure: Exception, timeout_seconds: float) -> str:
    """Return one line for the delivery log, without addresses of this network."""
    match failure:
        case ForbiddenTarget():
            line = str(failure)
        case TimeoutError():
            line = f"No complete response within {timeout_seconds:g} seconds."
        case aiohttp.ClientConnectorDNSError():
            line = "The host name does not resolve."
        case aiohttp.ClientConnectorCertificateError(certificate_error=ssl.SSLCertVerificationError() as fault):
            line = f"The TLS certificate is not valid: {fault.verify_message}."
        case aiohttp.ClientSSLError():
            line = "The TLS handshake failed."
        case aiohttp.ClientConnectorError():
            # asyncio adds the address to strerror; the system's message for the number has none.
            reason = os.strerror(failure.os_error.errno) if failure.os_error.errno else "no address is reachable"
            line = f"The connection failed: {reason}."
        case aiohttp.ServerDisconnectedError() | ConnectionError():
            line = "The receiver closed the connection before it responded."
        case aiohttp.ClientPayloadError():
            line = "The receiver's response was incomplete."
        case _:
            line = f"The receiver's response is not valid HTTP ({type(failure).__name__})."
    return line
