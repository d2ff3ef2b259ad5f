"""The public pages of a store, in its theme: rendered once per version of their contents, and cached."""

import asyncio
import base64
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.basics import KeyedLocks, clock, require_found
from comanda.orders import list_offers
from comanda.platform import runtime
from comanda.platform.photos import resize_url
from comanda.stores import Opening, get_opening
from comanda.web import current_language
from comanda_themes.api import (
    PageRequest,
    ThemeFiles,
    find_preview,
    load_default_theme,
    load_theme,
    render_page_or_default,
)
from quart import render_template

from comanda_storefront.pages.checkout.order_options import to_page_settings
from comanda_storefront.pages.store import store_text
from comanda_storefront.pages.store.item_facts import list_capabilities
from comanda_storefront.pages.store.metadata import to_metadata
from comanda_storefront.pages.store.photo_hosts import list_origins
from comanda_storefront.pages.store.store_templates import Template
from comanda_storefront.pages.store.theme_objects import StoreObjects, to_request_object, to_store_objects
from comanda_storefront.services.links import build_page_url
from comanda_storefront.services.published_stores import PublishedStore

# A page of 200 items with many options takes some 300 kB.
MAX_CACHED_PAGES: Final = 100
# How long the default theme stands in for one that failed, before that is tried again.
FALLBACK_LIFETIME: Final = timedelta(seconds=30)
# Of the store's logo among the tabs and favourites of a browser.
ICON_WIDTH: Final = 320
END_OF_BODY: Final = "</body>"

# The columns that the page shows. The menu's version covers everything else except availability.
RENDERED_FIELDS: Final = (
    "title", "slug", "store_type", "country", "phone", "address", "hours", "timezone", "menu_version",
    "theme_version_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page ready to send, plain and compressed; ``policy`` is its Content-Security-Policy.

    ``is_kept_until`` is set if another rendering may come out differently: the store's theme has failed.
    """

    status: int
    plain: bytes
    gzipped: bytes
    etag: str
    policy: str
    mimetype: str = "text/html"
    is_kept_until: datetime | None = None


_page_cache: OrderedDict[Hashable, tuple[Hashable, RenderedPage]] = OrderedDict()
_rendering = KeyedLocks()


async def get_store_page(store: PublishedStore, template: Template) -> RenderedPage:
    """Return a page of a store, rendered again only if its contents have changed."""

    async def render(opening: Opening) -> RenderedPage:
        return await _render(store, template, opening, await _load_theme(store))

    return await _get_page(store, template, render, is_cacheable=template.is_cacheable)


async def get_store_text(store: PublishedStore) -> RenderedPage:
    """Return a store and its menu in Markdown, rendered again only if they have changed."""

    async def render(opening: Opening) -> RenderedPage:
        text = await asyncio.to_thread(store_text.render_store, store, opening)
        return await _to_page(text, "default-src 'none'", mimetype="text/markdown")

    return await _get_page(store, "text", render)


async def _get_page(
    store: PublishedStore,
    name: Hashable,
    render: Callable[[Opening], Awaitable[RenderedPage]],
    *,
    is_cacheable: bool = True,
) -> RenderedPage:
    opening = get_opening(store.row, clock.now())
    state = (
        tuple(store.row[name] for name in RENDERED_FIELDS),
        store.menu.version,
        store.menu.availability,
        store.priced_modes,
        opening,
        list_offers(store.menu.terms, clock.now()),
        build_page_url(store.path),
    )
    key = (store.row["id"], current_language().code, name, store.menu.priced_by)
    if (page := _find_page(key, state)) is not None:
        return page
    if not is_cacheable:
        return await render(opening)
    # All who wait for a page whose contents have changed take the one that the first of them renders.
    async with _rendering[key]:
        if (page := _find_page(key, state)) is not None:
            return page
        page = await render(opening)
        _page_cache[key] = (state, page)
        _page_cache.move_to_end(key)
        if len(_page_cache) > MAX_CACHED_PAGES:
            _page_cache.popitem(last=False)
        return page


def _find_page(key: Hashable, state: Hashable) -> RenderedPage | None:
    """Return the page in the cache if its contents are still so."""
    found = _page_cache.get(key)
    if found is None or found[0] != state or _is_outdated(found[1]):
        return None
    _page_cache.move_to_end(key)
    return found[1]


async def get_preview_page(store: PublishedStore, template: Template, token: str) -> RenderedPage:
    """Return a page of a store in the theme that a token previews. Raises ``NotFound`` for an invalid token."""
    theme = require_found(await find_preview(store.row["owner_id"], store.row["id"], token))
    return await _render(store, template, get_opening(store.row, clock.now()), theme, is_preview=True)


async def _load_theme(store: PublishedStore) -> ThemeFiles:
    version_id = store.row["theme_version_id"]
    return load_default_theme() if version_id is None else await load_theme(store.row["owner_id"], version_id)


def _is_outdated(page: RenderedPage) -> bool:
    return page.is_kept_until is not None and clock.now() >= page.is_kept_until


async def _render(
    store: PublishedStore, template: Template, opening: Opening, theme: ThemeFiles, *, is_preview: bool = False
) -> RenderedPage:
    # In a thread, like the rendering, because a large menu takes longer than other requests should wait.
    shared = await asyncio.to_thread(to_store_objects, store.row, store.menu, opening, store.path)
    found = template.find_objects(shared.objects)
    name = template.name if found is not None else "404"
    objects = {
        **shared.objects,
        **(found or {}),
        "request": to_request_object(f"{store.path}{template.path}", name, is_preview=is_preview),
        **template.get_titles(shared.objects, found),
    }
    page = PageRequest(
        template=name,
        language=current_language().code,
        currency=store.menu.terms.currency,
        timezone=store.menu.terms.zone.key,
        head=await render_template("storefront/_store_head.html", **_to_head(store, shared, template, found)),
        assets_path=theme.assets_path,
        site_origin=runtime.settings().site_url,
        objects=objects,
    )
    rendered = await render_page_or_default(theme, page)
    return await _to_page(
        _insert_dialogs(rendered.html, await render_template("storefront/_store_end.html")),
        _to_security_policy(shared, rendered.style, is_framed=is_preview),
        status=200 if found is not None else 404,
        is_kept_until=clock.now() + FALLBACK_LIFETIME if rendered.is_fallback else None,
    )


async def _to_page(
    text: str,
    policy: str,
    *,
    status: int = 200,
    mimetype: str = "text/html",
    is_kept_until: datetime | None = None,
) -> RenderedPage:
    plain = text.encode()
    gzipped = await asyncio.to_thread(gzip.compress, plain, mtime=0)
    etag = f'W/"{hashlib.sha256(plain).hexdigest()[:24]}"'
    return RenderedPage(status, plain, gzipped, etag, policy, mimetype, is_kept_until)


def _to_head(
    store: PublishedStore, shared: StoreObjects, template: Template, found: Mapping[str, Any] | None
) -> Mapping[str, Any]:
    item_fields = {name for item in store.menu.items.values() for name in item.attributes}
    settings = to_page_settings(store.row, store.menu.terms, list(shared.options), item_fields)
    if store.priced_modes:
        settings["priced_modes"] = store.priced_modes
    metadata = to_metadata(shared.objects, template, found, list_capabilities(store.menu.terms))
    logo_url = shared.objects["store"]["logo_url"]
    return {
        "settings": settings,
        "store": store.row,
        "logo_url": logo_url and resize_url(logo_url, ICON_WIDTH),
        "metadata": metadata,
        "text_path": f"{store.path}.md",
    }


def _insert_dialogs(html: str, dialogs: str) -> str:
    """Return a page with the platform's dialogs at the end of its body: themes do not change how orders are placed."""
    start, end, rest = html.rpartition(END_OF_BODY)
    return f"{start}{dialogs}{end}{rest}" if end else f"{html}{dialogs}"


def _to_security_policy(shared: StoreObjects, style: str, *, is_framed: bool) -> str:
    """Return a Content-Security-Policy that allows this host's files, and the menu's photos from the site and others.

    The page may be read at a host of the store, or at 127.0.0.1 instead of localhost. ``style`` is the only style
    element that it allows. A preview may be shown in a frame of the dashboard.
    """
    photo_origins = [runtime.settings().site_url, *list_origins(shared.photo_urls)]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    styles = f"'self' 'sha256-{digest}'" if style else "'self'"
    ancestors = "'self'" if is_framed else "'none'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {styles}; connect-src 'self'; form-action 'self'; "
        f"font-src 'self'; img-src 'self' data: {' '.join(photo_origins)}"
        f"; base-uri 'none'; frame-ancestors {ancestors}"
    )
