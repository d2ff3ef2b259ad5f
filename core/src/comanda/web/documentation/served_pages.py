"""What the pages of the guide and of the API reference share: the catalog, their frame, and the rendered pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from quart import Response, render_template, request

import comanda
from comanda.contracts.registry import Registry
from comanda.contracts.web.dashboard import PREFIX
from comanda.platform import runtime
from comanda.web.api_reference.catalog import Catalog
from comanda.web.documentation.page_cache import CachedPage, PageCache, to_response
from comanda.web.languages.selection import current_language
from comanda.web.sign_in.sessions import SESSION_COOKIE, cookie_name
from comanda.web.site_address import get_site_url
from comanda.web.theme_choice import get_theme

# All pages of the reference in one language take a third of this.
MAX_CACHED_BYTES: Final = 1024 * 1024
TOKENS_SCOPE: Final = "tokens:read"

Context = dict[str, Any]


@dataclass(slots=True)
class Documentation:
    """What was made of one registry: the catalog, and pages that were read."""

    registry: Registry
    catalog: Catalog
    cache: PageCache = field(default_factory=lambda: PageCache(MAX_CACHED_BYTES))


def get_documentation() -> Documentation:
    """Return the documentation of the installed plugins."""
    return _create_documentation(runtime.registry())


@lru_cache(maxsize=1)
def _create_documentation(registry: Registry) -> Documentation:
    return Documentation(registry, Catalog(registry))


async def serve_page(
    name: str, template: str, create_context: Callable[[Documentation, str], Awaitable[Context]]
) -> Response:
    """Return a page, cached by language, appearance and address.

    ``create_context(docs, site_url)`` returns what its template shows.
    """
    docs = get_documentation()
    site_url = get_site_url()
    has_session = cookie_name(SESSION_COOKIE) in request.cookies
    theme = get_theme()
    key = (name, current_language().code, theme, site_url, has_session, comanda.__version__)
    page = docs.cache.get(key)
    if page is None:
        page = await _render(docs, key, template, await create_context(docs, site_url))
    return to_response(page)


async def _render(docs: Documentation, key: tuple[Any, ...], template: str, context: Context) -> CachedPage:
    text = await render_template(template, **get_frame(docs), **context)
    return docs.cache.add(key, text)


def get_frame(docs: Documentation) -> Context:
    """Return what the frame around every page of the documentation shows."""
    return {
        "sections": docs.catalog.sections,
        "token_kinds": docs.registry.caller_kinds.values(),
        "chapters": list(docs.registry.docs.values()),
        "tokens_path": _find_tokens_path(docs.registry) if cookie_name(SESSION_COOKIE) in request.cookies else None,
        "release": comanda.__version__,
        "here": request.full_path.rstrip("?"),
    }


def list_token_prefixes(docs: Documentation) -> Mapping[str, str]:
    """Return what the tokens of each kind begin with."""
    return {kind.code: kind.prefix for kind in docs.registry.caller_kinds.values()}


def _find_tokens_path(registry: Registry) -> str | None:
    """Return the path of the page of the dashboard on which owners create tokens, if one is installed."""
    paths = (PREFIX + entry.path for entry in registry.navigation if entry.scope == TOKENS_SCOPE)
    return next(paths, None)
