"""HubRise's API for one connection. Sources: HubRise's API reference, *General concepts*, *Orders*, *Catalogs*."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import orjson
from comanda.basics import LazyModule

from comanda_hubrise.settings import get_settings

if TYPE_CHECKING:
    import aiohttp
else:
    # Only a process that talks to HubRise needs it.
    aiohttp = LazyModule("aiohttp")

TIMEOUT_SECONDS: Final = 6.0  # for one request, with its body
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
MAX_LISTED: Final = 100
ORDER_EVENTS: Final = {"order": ["create", "update"]}
# What HubRise says of a request that will not be right another time either.
PERMANENT_STATUSES: Final = frozenset({400, 404, 415, 422})
REVOKED_STATUSES: Final = frozenset({401, 403})


class HubRiseUnavailable(Exception):
    """HubRise did not answer as it should, or says to come back later; a later attempt may succeed."""

    def __repr__(self) -> str:
        """Return the sentence alone: queues keep it with the row, where owners read it."""
        return str(self)


class HubRiseRefused(HubRiseUnavailable):
    """HubRise refuses the access token: it was revoked, or the connection is blocked."""


class HubRiseInvalid(Exception):
    """HubRise refuses this very request, such as for an order that it does not have."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What an owner has from HubRise: the token of the connection, and the secret of the client that it is of."""

    access_token: str = field(repr=False)
    client_secret: str | None = field(default=None, repr=False)


class HubRise:
    """The requests of one connection. All raise ``HubRiseUnavailable``, ``HubRiseRefused`` and ``HubRiseInvalid``."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._url = get_settings().url

    async def get_location(self) -> Mapping[str, Any]:
        """Return the location that the token is of."""
        return _require_object(await self._send("GET", "/location"))

    async def register_callback(self, url: str) -> None:
        """Subscribe ``url`` to the orders that are created or updated."""
        await self._send("POST", "/callback", {"url": url, "events": ORDER_EVENTS})

    async def get_order(self, order_id: str) -> Mapping[str, Any]:
        """Return an order."""
        return _require_object(await self._send("GET", f"/location/orders/{quote(order_id, safe='')}"))

    async def list_orders(self, status: str, after: datetime) -> list[Mapping[str, Any]]:
        """Return the orders of a status that were created after a moment, at most 100."""
        query = {"status": status, "after": after.isoformat(timespec="seconds"), "count": str(MAX_LISTED)}
        found = await self._send("GET", "/location/orders", query=query)
        listed: list[object] = found[:MAX_LISTED] if isinstance(found, list) else []
        return [each for each in listed if isinstance(each, dict)]

    async def update_order(self, order_id: str, changes: Mapping[str, str]) -> None:
        """Change fields of an order, such as its status."""
        await self._send("PATCH", f"/location/orders/{quote(order_id, safe='')}", changes)

    async def replace_catalog(self, catalog_id: str, content: Mapping[str, Any]) -> None:
        """Replace what is in a catalog."""
        await self._send("PUT", f"/catalogs/{quote(catalog_id, safe='')}", {"data": content})

    async def replace_inventory(self, catalog_id: str, entries: list[dict[str, Any]]) -> None:
        """Replace what is known of the stock of a catalog at the location."""
        await self._send("PUT", f"/catalogs/{quote(catalog_id, safe='')}/location/inventory", entries)

    async def _send(
        self, method: str, path: str, body: object = None, query: Mapping[str, str] | None = None
    ) -> object:
        options: dict[str, Any] = {} if body is None else {"data": orjson.dumps(body)}
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._session.request(
                    method, self._url + path, params=query, allow_redirects=False, **options
                ) as response,
            ):
                content = await _read(response)
        except TimeoutError as error:
            raise HubRiseUnavailable("HubRise did not answer in time.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise HubRiseUnavailable("HubRise could not be reached.") from error
        _check_status(response.status)
        try:
            return orjson.loads(content) if content.strip() else None
        except orjson.JSONDecodeError as error:
            raise HubRiseUnavailable("HubRise's answer is no JSON.") from error


@asynccontextmanager
async def open_client(credentials: Credentials) -> AsyncIterator[HubRise]:
    """Yield a client that acts for a connection, with a session that ends with it."""
    headers = {
        "X-Access-Token": credentials.access_token,
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "Comanda/1",
    }
    async with aiohttp.ClientSession(
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
        trust_env=True,
    ) as session:
        yield HubRise(session)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    while chunk := await response.content.read(MAX_ANSWER_BYTES + 1 - len(content)):
        content += chunk
        if len(content) > MAX_ANSWER_BYTES:
            raise HubRiseUnavailable("HubRise's answer is too large.")
    return bytes(content)


def _check_status(status: int) -> None:
    if status in REVOKED_STATUSES:
        raise HubRiseRefused(f"HubRise refuses the access token: {status}.")
    if status in PERMANENT_STATUSES:
        raise HubRiseInvalid(f"HubRise refused the request: {status}.")
    if not 200 <= status < 300:
        raise HubRiseUnavailable(f"HubRise answered {status}.")


def _require_object(found: object) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise HubRiseUnavailable("HubRise's answer is not what its documentation says.")
    return found
