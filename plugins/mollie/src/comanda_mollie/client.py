"""Mollie's library for one account, on a connection that is closed with the call."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Final, NoReturn, Protocol, TypeVar, cast

import orjson
from comanda.basics import LazyModule
from comanda.contracts import PaymentAccount, PaymentDeclined
from comanda.web import N_

from comanda_mollie.settings import get_settings

if TYPE_CHECKING:
    import ssl

    import httpx
    import mollie
else:
    # Most processes never call Mollie, and are spared 30 MiB of memory and a second at start.
    httpx = LazyModule("httpx")
    mollie = LazyModule("mollie")

KEY_FIELD: Final = "api_key"
# Mollie lists settlements for organizations, never for the key of a profile.
ORGANIZATION_FIELD: Final = "organization_token"
KEY_PATTERN: Final = re.compile(r"(test|live)_[A-Za-z0-9]{1,100}")
TOKEN_PATTERN: Final = re.compile(r"access_[A-Za-z0-9]{1,200}")
UNKNOWN_KEY: Final = N_("Mollie does not know this key.")
UNKNOWN_TOKEN: Final = N_("Mollie does not know this access token, or it may not read settlements.")
TIMEOUT_MS: Final = 10_000
MAX_PER_PAGE: Final = 250
# Bad values, things that are not there or not any more, and things that cannot be done in their state.
REFUSALS: Final = frozenset({400, 404, 410, 422})
UNAUTHORIZED: Final = frozenset({401, 403})


class NoKey(Exception):
    """The operator has set no key, or has removed it; a later attempt may succeed."""


class NoConnection:
    """The blocking connection that the library wants too: without one it creates its own, with a TLS context."""

    def build_request(self, *_arguments: object, **_options: object) -> NoReturn:
        """Raise ``NotImplementedError``: requests are asynchronous."""
        raise NotImplementedError

    def send(self, *_arguments: object, **_options: object) -> NoReturn:
        """Raise ``NotImplementedError``: requests are asynchronous."""
        raise NotImplementedError

    def close(self) -> None:
        """Close nothing: no connection is open."""


class Page(Protocol):
    """A page of a list of the library."""

    @property
    def next(self) -> Callable[[], object]:
        """What requests the following page."""


P = TypeVar("P", bound=Page)


@asynccontextmanager
async def open_client(account: PaymentAccount | None) -> AsyncIterator["mollie.ClientSDK"]:
    """Yield a client that acts for an account with its own key, or with the operator's.

    Raises ``PaymentDeclined`` where Mollie refuses for good, and the library's errors where a later attempt may
    succeed. The library does not repeat requests, because the callers do.
    """
    async with _open(mollie.Security(api_key=_get_key(account))) as client:
        yield client


@asynccontextmanager
async def open_organization(account: PaymentAccount) -> AsyncIterator["mollie.ClientSDK"]:
    """Yield a client that acts for the organization of an account; raises like ``open_client``."""
    token = account.credentials.get(ORGANIZATION_FIELD, "")
    if not TOKEN_PATTERN.fullmatch(token):
        raise PaymentDeclined(UNKNOWN_TOKEN)
    async with _open(mollie.Security(advanced_access_token=token)) as client:
        yield client


async def get_next_page(page: P) -> P | None:
    """Return the page after a page, None after the last."""
    return await cast("Awaitable[P | None]", page.next())


@asynccontextmanager
async def _open(security: "mollie.Security") -> AsyncIterator["mollie.ClientSDK"]:
    async with httpx.AsyncClient(verify=_create_tls_context()) as connections:
        client = mollie.ClientSDK(
            security=security,
            server_url=get_settings().url,
            client=cast("httpx.Client", NoConnection()),
            async_client=connections,
            retry_config=None,
            timeout_ms=TIMEOUT_MS,
        )
        try:
            yield client
        except mollie.ClientError as refusal:
            if refusal.status_code not in REFUSALS:
                raise
            raise PaymentDeclined(_get_detail(refusal)) from refusal


@cache
def _create_tls_context() -> "ssl.SSLContext":
    return httpx.create_ssl_context()


def _get_detail(refusal: "mollie.ClientError") -> str:
    """Return the sentence in which Mollie refuses."""
    try:
        return str(orjson.loads(refusal.body)["detail"])
    except (ValueError, KeyError, TypeError):
        return "Mollie refused the request."


def _get_key(account: PaymentAccount | None) -> str:
    own_key = None if account is None else account.credentials.get(KEY_FIELD)
    if own_key:
        if not KEY_PATTERN.fullmatch(own_key):
            raise PaymentDeclined(UNKNOWN_KEY)
        return own_key
    operator_key = get_settings().api_key
    if operator_key is None:
        raise NoKey("COMANDA_MOLLIE_API_KEY is not set.")
    return operator_key.get_secret_value()
