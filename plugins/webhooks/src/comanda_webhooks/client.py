"""The outside boundary of deliveries: one HTTP POST to a receiver, all that can go wrong told as an answer."""

import asyncio
import os
import re
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache, partial
from ipaddress import ip_address
from types import TracebackType
from typing import Protocol, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from comanda_webhooks.addresses import (
    NOTHING_ALLOWED,
    Address,
    AllowedTargets,
    ForbiddenTarget,
    Target,
    check_url,
    is_public,
)

TIMEOUT_SECONDS = 10.0  # one wall clock over name, connection, TLS, headers and body
BODY_LIMIT_BYTES = 4096
SNIPPET_LIMIT_BYTES = 1024
RETRY_AFTER_LIMIT_SECONDS = 3600
# Many servers hang up an idle connection after 5 seconds; a POST that meets the hang-up half-way is a failed attempt.
KEEPALIVE_SECONDS = 4.0
LOOKUP_THREADS = 32
VETTING_SECONDS = 3.0

SECRETS = (
    (re.compile(r"whsec_[\w+/=-]+", re.ASCII), "whsec_***"),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]+", re.ASCII | re.IGNORECASE), r"\1 ***"),
    (re.compile(r"\b(own|sf|drv|cus|stf|app|rt)_[0-9A-Za-z]{16,}", re.ASCII), r"\1_***"),
)

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""Every address of a host name, as text. Raises ``OSError`` if there is none."""


@dataclass(frozen=True)
class Answer:
    """What came back from one attempt.

    ``status`` is None if no status line arrived; ``error`` is one line for the delivery log, or None if the exchange
    was completed, whatever its status; ``snippet`` is the beginning of the body, at most 1 kB, secrets masked.
    ``retry_after_seconds`` is set on 429 and 503 only, at most 3600.
    """

    status: int | None
    snippet: str
    error: str | None
    retry_after_seconds: int | None
    duration_ms: int

    @property
    def is_success(self) -> bool:
        """A status of 2xx, its body within the time."""
        return self.error is None and self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """The receiver says that it will never want deliveries again."""
        return self.status == 410


class Receiver(Protocol):
    """Anything that deliveries can be posted to."""

    async def vet(self, url: str) -> str:
        """Judge a URL before it is saved, and return it as it will be connected to.

        Raises ``ForbiddenTarget``. A name that does not resolve yet passes, for each delivery is judged again.
        """

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post ``body`` as JSON. Trouble with the URL, the network or the receiver is an answer, never an exception."""


class HttpReceiver:
    """The real receiver. Use it as an async context manager; it keeps connections to busy receivers open.

    It sets no bound on connections: whoever posts decides how many attempts are in flight, and waiting for a free
    connection would eat into a receiver's ten seconds. ``ssl_context`` replaces the system's certificate authorities.
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
        self._lookup = lookup or self._system_lookup
        self._check = lru_cache(maxsize=4096)(partial(check_url, allowed=allowed))

    async def __aenter__(self) -> Self:
        # Two pools, since the resolver learns only a host: a connection dialled for a URL that may lead anywhere public
        # must never serve one that is acceptable inside the allowed networks only.
        self._public = self._session(self._accepts_public)
        self._inside = self._session(self._allowed.covers)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._public.close()
        await self._inside.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def vet(self, url: str) -> str:
        """Judge a URL before it is saved, and return it as it will be connected to. Raises ``ForbiddenTarget``."""
        target = self._check(url)
        if target.address is None:
            accepts = self._allowed.covers if target.only_allowed else self._accepts_public
            try:
                async with asyncio.timeout(VETTING_SECONDS):
                    await CheckedResolver(self._lookup, accepts).resolve(target.host)
            except OSError:  # TimeoutError is one
                pass
        return str(target.url)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post ``body`` as JSON. Trouble with the URL, the network or the receiver is an answer, never an exception."""
        started = time.perf_counter()
        status, content, error, retry_after = None, b"", None, None
        try:
            target = self._check(url)
            async with (
                asyncio.timeout(self._timeout_seconds),
                self._session_for(target).post(
                    target.url, data=body, headers=headers, allow_redirects=False
                ) as response,
            ):
                status = response.status
                if status in (429, 503):
                    retry_after = parse_retry_after(response.headers.get("Retry-After", ""), datetime.now(UTC))
                content = await _read_start(response)
        except (aiohttp.ClientError, OSError, ForbiddenTarget) as failure:
            error = _explain(failure, self._timeout_seconds)
        duration_ms = round((time.perf_counter() - started) * 1000)
        return Answer(status, _snippet(content), error, retry_after, duration_ms)

    def _session(self, accepts: Callable[[Address], bool]) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=CheckedResolver(self._lookup, accepts),
                use_dns_cache=False,  # every new connection is judged anew
                limit=0,
                keepalive_timeout=KEEPALIVE_SECONDS,
                ssl=self._ssl_context or True,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            # An undecoded body cannot be a decompression bomb.
            auto_decompress=False,
            skip_auto_headers=("Accept-Encoding",),
            headers={"Content-Type": "application/json", "User-Agent": "Comanda-Webhooks/1"},
            # asyncio.timeout keeps the time: aiohttp's own total is rounded up to whole seconds beyond five.
            timeout=aiohttp.ClientTimeout(total=None),
            read_bufsize=BODY_LIMIT_BYTES,
            trust_env=False,
        )

    def _accepts_public(self, address: Address) -> bool:
        return is_public(address) or self._allowed.covers(address)

    def _session_for(self, target: Target) -> aiohttp.ClientSession:
        return self._inside if target.only_allowed else self._public

    async def _system_lookup(self, host: str) -> Sequence[str]:
        # Threads of its own: slow name servers of a few receivers must not hold up the process's other thread work.
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
        )
        return [str(address[0]) for *_, address in found]


class CheckedResolver(AbstractResolver):
    """Resolves a name to its addresses if every one of them is acceptable, and to nothing otherwise.

    aiohttp connects to exactly the addresses returned here, while ``Host``, SNI and certificate check keep the name: a
    name server that answers differently a moment later changes nothing. Hosts that are addresses never come here.
    """

    def __init__(self, lookup: Lookup, accepts: Callable[[Address], bool]) -> None:
        self._lookup = lookup
        self._accepts = accepts

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Raises ``ForbiddenTarget`` if one address of ``host`` may not be called, ``OSError`` if it has none."""
        addresses = [ip_address(text) for text in await self._lookup(host)]
        if not addresses:
            raise OSError(f"{host} has no address")
        if not all(map(self._accepts, addresses)):
            # The address stays unsaid: it may be known to this server's name servers only.
            raise ForbiddenTarget(f"{host} leads to an address that is not public.")
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing is held open."""


def parse_retry_after(value: str, now: datetime) -> int | None:
    """Seconds from a ``Retry-After`` header, in seconds or as an HTTP date, between 0 and 3600; None if it is neither.

    Source: RFC 9110, section 10.2.3.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        # A number of very many digits is no number to Python, but it is more than an hour.
        seconds = int(value) if len(value) < 10 else RETRY_AFTER_LIMIT_SECONDS
    else:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        if moment.tzinfo is None:  # the date said -0000: UTC of an unknown place
            moment = moment.replace(tzinfo=UTC)
        seconds = round((moment - now).total_seconds())
    return max(0, min(seconds, RETRY_AFTER_LIMIT_SECONDS))


def mask_secrets(text: str) -> str:
    """Blank out what a receiver may echo and the delivery log must not keep: signing secrets and bearer tokens."""
    for pattern, replacement in SECRETS:
        text = pattern.sub(replacement, text)
    return text


async def _read_start(response: aiohttp.ClientResponse) -> bytes:
    """The first 4 kB of the body; aiohttp closes the connection of a response that is left unfinished."""
    content = bytearray()
    while chunk := await response.content.read(BODY_LIMIT_BYTES - len(content)):  # reading 0 bytes gives none
        content += chunk
    return bytes(content)


def _snippet(content: bytes) -> str:
    if not content:
        return ""
    # PostgreSQL stores no NUL in a text.
    text = mask_secrets(content.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}"))
    return text.encode("utf-8")[:SNIPPET_LIMIT_BYTES].decode("utf-8", "ignore")


def _explain(failure: Exception, timeout_seconds: float) -> str:
    """One line for the delivery log, without addresses of this network."""
    match failure:
        case ForbiddenTarget():
            line = str(failure)
        case TimeoutError():
            line = f"No complete answer within {timeout_seconds:g} seconds."
        case aiohttp.ClientConnectorDNSError():
            line = "The host name does not resolve."
        case aiohttp.ClientConnectorCertificateError(certificate_error=ssl.SSLCertVerificationError() as fault):
            line = f"The TLS certificate is not valid: {fault.verify_message}."
        case aiohttp.ClientSSLError():
            line = "The TLS handshake failed."
        case aiohttp.ClientConnectorError():
            # asyncio puts the address into strerror; the system's own words for the number have none.
            reason = os.strerror(failure.os_error.errno) if failure.os_error.errno else "no address answered"
            line = f"The connection failed: {reason}."
        case aiohttp.ServerDisconnectedError() | ConnectionError():
            line = "The receiver closed the connection before it answered."
        case aiohttp.ClientPayloadError():
            line = "The receiver's answer broke off."
        case _:
            line = f"The receiver's answer was not understood ({type(failure).__name__})."
    return line
