"""What providers publish and answer: their discovery document, their keys, and ID tokens for codes."""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final
from urllib.parse import quote

import structlog
from comanda.basics import Sentence, Unavailable
from comanda.platform.http_client import DocumentClient, DocumentUnavailable

from comanda_oidc.settings import Provider, get_allowed_targets

log = structlog.get_logger(__name__)

# For all requests of one step together, so that a slow provider does not hold a page until its deadline.
TIMEOUT_SECONDS: Final = 8.0
# More steps at once would only wait: strangers can start them.
MAX_CONCURRENT: Final = 20
CACHE_SECONDS: Final = 3600.0
# Keys that are not known are looked for again, but not for each forged token.
KEY_REFRESH_SECONDS: Final = 60.0
ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """The addresses of a provider, and how it takes the client's secret."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    takes_basic: bool


@dataclass(slots=True)
class _Cached:
    content: Mapping[str, Any]
    loaded_at: float


# By address, of which the settings name few.
_cache: Final[dict[str, _Cached]] = {}
_running: Final = {"steps": 0}


async def load_metadata(provider: Provider) -> ProviderMetadata:
    """Return a provider's addresses. Raises ``Unavailable``."""
    url = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    document = await _load(provider, url, CACHE_SECONDS)
    # Another issuer could sign tokens in this one's name.
    if document.get("issuer") != provider.issuer:
        raise _create_error(provider, "The document names another issuer.")
    found = [document.get(name) for name in ENDPOINTS]
    if not all(isinstance(each, str) and each.startswith(("https://", "http://")) for each in found):
        raise _create_error(provider, "The document lacks an address.")
    methods = document.get("token_endpoint_auth_methods_supported")
    takes_basic = not isinstance(methods, list) or "client_secret_basic" in methods
    return ProviderMetadata(str(found[0]), str(found[1]), str(found[2]), takes_basic)


async def load_keys(provider: Provider, *, is_renewed: bool = False) -> Mapping[str, Any]:
    """Return a provider's key set, read anew if ``is_renewed`` and not read just before. Raises ``Unavailable``."""
    metadata = await load_metadata(provider)
    return await _load(provider, metadata.jwks_uri, KEY_REFRESH_SECONDS if is_renewed else CACHE_SECONDS)


async def exchange_code(provider: Provider, code: str, verifier: str, redirect_uri: str) -> str:
    """Return the ID token for a code. Raises ``Unavailable`` if the provider gives none."""
    metadata = await load_metadata(provider)
    secret = provider.client_secret.get_secret_value()
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri, "code_verifier": verifier}
    headers = {}
    if metadata.takes_basic:
        credentials = f"{quote(provider.client_id, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = f"Basic {b64encode(credentials.encode()).decode()}"
    else:
        form |= {"client_id": provider.client_id, "client_secret": secret}
    try:
        async with _Step(provider):
            answer = (await _create_client().post_form(metadata.token_endpoint, form, headers)).content
    except (DocumentUnavailable, TimeoutError) as error:
        raise _create_error(provider, str(error)) from error
    token = answer.get("id_token") if isinstance(answer, dict) else None
    if not isinstance(token, str):
        raise _create_error(provider, "The answer has no id_token.")
    return token


def forget_documents() -> None:
    """Forget what was read."""
    _cache.clear()


async def _load(provider: Provider, url: str, max_age: float) -> Mapping[str, Any]:
    known = _cache.get(url)
    if known is not None and monotonic() - known.loaded_at < max_age:
        return known.content
    try:
        async with _Step(provider):
            content = (await _create_client().fetch(url)).content
    except (DocumentUnavailable, TimeoutError) as error:
        raise _create_error(provider, str(error)) from error
    if not isinstance(content, dict):
        raise _create_error(provider, "The document is no object.")
    if len(_cache) >= 4 * MAX_CONCURRENT:
        _cache.clear()
    _cache[url] = _Cached(content, monotonic())
    return content


class _Step:
    """A request to a provider: at most so many at once, and none for long."""

    def __init__(self, provider: Provider) -> None:
        self._provider, self._timeout = provider, asyncio.timeout(TIMEOUT_SECONDS)

    async def __aenter__(self) -> None:
        if _running["steps"] >= MAX_CONCURRENT:
            raise _create_error(self._provider, "Too many requests are under way.")
        _running["steps"] += 1
        await self._timeout.__aenter__()

    async def __aexit__(self, *arguments: Any) -> None:
        _running["steps"] -= 1
        await self._timeout.__aexit__(*arguments)


def _create_client() -> DocumentClient:
    return DocumentClient(allowed=get_allowed_targets())


def _create_error(provider: Provider, problem: str) -> Unavailable:
    log.warning("oidc_provider_unavailable", provider=provider.code, problem=problem)
    return Unavailable(Sentence("This sign-in is not available at the moment. Try again, or use your password."))
