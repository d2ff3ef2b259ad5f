"""Deliverect's API for one connection. Sources: Deliverect's documentation, *Authentication*, *Update Order Status*,
*Insert/update Products*, *Snooze Product by PLU*, *Update Store Status*.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import orjson
from cachetools import TTLCache
from comanda.basics import LazyModule

from comanda_deliverect.settings import get_settings

if TYPE_CHECKING:
    import aiohttp
else:
    # Only a process that talks to Deliverect needs it.
    aiohttp = LazyModule("aiohttp")

TIMEOUT_SECONDS: Final = 6.0  # for one request, with its body
MAX_ANSWER_BYTES: Final = 1024 * 1024
# Tokens are valid for longer; Deliverect wants them used again, and one that it refuses is forgotten.
TOKEN_SECONDS: Final = 30 * 60
# What Deliverect says of a request that will not be right another time either.
PERMANENT_STATUSES: Final = frozenset({400, 404, 415, 422})
REVOKED_STATUSES: Final = frozenset({401, 403})

_tokens: Final[TTLCache[tuple[str, str, str], str]] = TTLCache(1000, TOKEN_SECONDS)


class DeliverectUnavailable(Exception):
    """Deliverect did not answer as it should, or says to come back later; a later attempt may succeed."""

    def __repr__(self) -> str:
        """Return the sentence alone: queues keep it with the row, where owners read it."""
        return str(self)


class DeliverectRefused(DeliverectUnavailable):
    """Deliverect refuses the credentials."""


class DeliverectInvalid(Exception):
    """Deliverect refuses this very request, such as for an order that it does not have."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What an integration partner has from Deliverect: a client, and the secret that signs webhooks."""

    client_id: str
    client_secret: str = field(repr=False)
    webhook_secret: str = field(repr=False)


class Deliverect:
    """The requests of one connection, which raise ``DeliverectUnavailable``, ``-Refused`` and ``-Invalid``."""

    def __init__(self, session: aiohttp.ClientSession, credentials: Credentials) -> None:
        self._session, self._credentials = session, credentials
        self._url = get_settings().url

    async def get_token(self) -> str:
        """Return an access token, which is kept for the next requests."""
        key = (self._url, self._credentials.client_id, self._credentials.client_secret)
        if (known := _tokens.get(key)) is not None:
            return known
        body = {
            "client_id": self._credentials.client_id,
            "client_secret": self._credentials.client_secret,
            "audience": self._url,
            "grant_type": "client_credentials",
        }
        found = await self._send("/oauth/token", body, {})
        token = found.get("access_token") if isinstance(found, dict) else None
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise DeliverectUnavailable("Deliverect's answer is not what its documentation says.")
        _tokens[key] = token
        return token

    async def update_order_status(self, order_id: str, changes: Mapping[str, Any]) -> None:
        """Send Deliverect the status of an order."""
        await self._act(f"/orderStatus/{quote(order_id, safe='')}", {"orderId": order_id, **changes})

    async def replace_menu(self, content: Mapping[str, Any]) -> None:
        """Replace the products and categories of a location."""
        await self._act("/productAndCategories", content)

    async def snooze_products(self, account_id: str, location_id: str, plus: Sequence[str], end: datetime) -> None:
        """Snooze products until ``end``; those for which that has passed are sold again."""
        body = {"account": account_id, "location": location_id, "plus": plus, "snoozeEnd": f"{end:%Y-%m-%dT%H:%M:%SZ}"}
        await self._act("/products/snoozeByPlus", body)

    async def update_store_status(self, location_id: str, *, is_active: bool) -> None:
        """Update whether the channels of a location take orders."""
        await self._act(f"/updateStoreStatus/{quote(location_id, safe='')}", {"isActive": is_active})

    def forget_token(self) -> None:
        """Remove the token that is kept, so that the next request gets another one."""
        _tokens.pop((self._url, self._credentials.client_id, self._credentials.client_secret), None)

    async def _act(self, path: str, body: object) -> None:
        """Send what needs a token, and forget the token if it is refused."""
        token = await self.get_token()
        try:
            await self._send(path, body, {"Authorization": f"Bearer {token}"})
        except DeliverectRefused:
            self.forget_token()
            raise

    async def _send(self, path: str, body: object, headers: Mapping[str, str]) -> object:
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._session.post(
                    self._url + path, data=orjson.dumps(body), headers=headers, allow_redirects=False
                ) as response,
            ):
                content = await response.content.read(MAX_ANSWER_BYTES)
        except TimeoutError as error:
            raise DeliverectUnavailable("Deliverect did not answer in time.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise DeliverectUnavailable("Deliverect could not be reached.") from error
        _check_status(response.status)
        try:
            return orjson.loads(content)
        except orjson.JSONDecodeError:
            return None


@asynccontextmanager
async def open_client(credentials: Credentials) -> AsyncIterator[Deliverect]:
    """Yield a client that acts for a connection, with a session that ends with it."""
    async with aiohttp.ClientSession(
        headers={"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "Comanda/1"},
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
        trust_env=True,
    ) as session:
        yield Deliverect(session, credentials)


def _check_status(status: int) -> None:
    if status in REVOKED_STATUSES:
        raise DeliverectRefused(f"Deliverect refuses the credentials: {status}.")
    if status in PERMANENT_STATUSES:
        raise DeliverectInvalid(f"Deliverect refused the request: {status}.")
    if not 200 <= status < 300:
        raise DeliverectUnavailable(f"Deliverect answered {status}.")
