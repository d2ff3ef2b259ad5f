"""Documents that strangers publish, small JSON ones and others, read from public addresses only."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import orjson
from yarl import URL

from comanda.basics.lazy_imports import LazyModule
from comanda.platform.http_client.resolver import CheckedResolver, Lookup, find_addresses
from comanda.platform.http_client.target_urls import (
    NOTHING_ALLOWED,
    Address,
    AllowedTargets,
    DeliveryTarget,
    ForbiddenTarget,
    check_url,
    is_public,
)

if TYPE_CHECKING:
    import aiohttp
else:
    # Most processes send no such request, and are spared 6 MiB of memory and a fifth of a second at start.
    aiohttp = LazyModule("aiohttp")

TIMEOUT_SECONDS: Final = 5.0  # in total, for name resolution, connection, TLS, headers and body
MAX_BODY_BYTES: Final = 64 * 1024
OK: Final = 200
REDIRECTS: Final = (301, 302, 303, 307, 308)
MAX_REDIRECTS: Final = 3


class DocumentUnavailable(Exception):
    """The document cannot be read; the message says why, without addresses of this network."""


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """A JSON document, and for how long it may be kept as its publisher says, None if it does not."""

    content: object
    max_age_seconds: int | None


class DocumentClient:
    """Reads documents, without cookies, credentials or compression, JSON without redirects.

    ``allowed`` are networks that are reachable although they are not public, for development and tests.
    """

    def __init__(
        self,
        *,
        allowed: AllowedTargets = NOTHING_ALLOWED,
        lookup: Lookup = find_addresses,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed, self._lookup, self._ssl_context = allowed, lookup, ssl_context

    async def fetch(self, url: str) -> FetchedDocument:
        """Return a document. Raises ``DocumentUnavailable``."""
        return await self._request(url, None, {})

    async def post_form(self, url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> FetchedDocument:
        """Send a form and return the document that answers it. Raises ``DocumentUnavailable``."""
        return await self._request(url, form, headers)

    async def fetch_bytes(self, url: str, *, accept: str, max_bytes: int, timeout_seconds: float) -> bytes:
        """Return what is at an address, or where that redirects to. Raises ``DocumentUnavailable``.

        Each address on the way must be acceptable.
        """
        try:
            async with asyncio.timeout(timeout_seconds):
                for _ in range(MAX_REDIRECTS + 1):
                    target = check_url(url, allowed=self._allowed)
                    async with (
                        self._open_session(target) as session,
                        session.get(target.url, headers={"Accept": accept}, allow_redirects=False) as response,
                    ):
                        if response.status not in REDIRECTS:
                            return await _read_body(response, max_bytes)
                        url = str(target.url.join(URL(response.headers.get("Location", ""))))
            raise ValueError("too many redirects")
        except ForbiddenTarget as error:
            raise DocumentUnavailable(str(error)) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise DocumentUnavailable("The document could not be read.") from error

    async def _request(self, url: str, form: Mapping[str, str] | None, headers: Mapping[str, str]) -> FetchedDocument:
        method = "GET" if form is None else "POST"
        try:
            target = check_url(url, allowed=self._allowed)
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._open_session(target) as session,
                session.request(method, target.url, data=form, headers=headers, allow_redirects=False) as response,
            ):
                return await _read(response)
        except ForbiddenTarget as error:
            raise DocumentUnavailable(str(error)) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise DocumentUnavailable("The document could not be read.") from error

    def _is_acceptable(self, address: Address) -> bool:
        return is_public(address) or self._allowed.covers(address)

    def _open_session(self, target: DeliveryTarget) -> aiohttp.ClientSession:
        accepts: Callable[[Address], bool] = self._allowed.covers if target.only_allowed else self._is_acceptable
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=CheckedResolver(partial(self._lookup), accepts),
                use_dns_cache=False,
                ssl=self._ssl_context or True,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            # An undecoded body cannot be a decompression bomb.
            auto_decompress=False,
            skip_auto_headers=("Accept-Encoding",),
            headers={"Accept": "application/json", "User-Agent": "Comanda/1"},
            timeout=aiohttp.ClientTimeout(total=None),
            trust_env=False,
        )


async def _read(response: aiohttp.ClientResponse) -> FetchedDocument:
    content = orjson.loads(await _read_body(response, MAX_BODY_BYTES))
    return FetchedDocument(content, _parse_max_age(response.headers.get("Cache-Control", "")))


async def _read_body(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    if response.status != OK:
        raise ValueError(f"status {response.status}")
    content = bytearray()
    while chunk := await response.content.read(max_bytes + 1 - len(content)):
        content += chunk
    if len(content) > max_bytes:
        raise ValueError("too large")
    return bytes(content)


def _parse_max_age(value: str) -> int | None:
    for part in value.lower().split(","):
        name, _, seconds = part.strip().partition("=")
        if name == "max-age" and seconds.isascii() and seconds.isdigit() and len(seconds) < 10:
            return int(seconds)
    return None
