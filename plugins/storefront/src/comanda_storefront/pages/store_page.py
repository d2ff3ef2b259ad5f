"""A store's public page: found by its slug, rendered once per version of its contents, and cached."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from comanda import clock
from comanda.db import sql
from comanda.errors import NotFound
from comanda.menu import snapshot
from comanda.menu.snapshot import MenuSnapshot
from comanda.stores.records import Opening, get_opening
from comanda.web.translations import current_language
from quart import render_template

from comanda_storefront.pages import store_view

MAX_SLUG_LENGTH: Final = 100
# A page of 200 items with many options takes some 300 kB.
MAX_CACHED_PAGES: Final = 100

SELECT_PUBLISHED_STORE = """
    SELECT s.id, s.owner_id, s.title, s.slug, s.phone, s.address, s.hours, s.timezone, s.is_published, s.menu_version,
           s.stock_version
    FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.slug = $1 AND s.is_published AND NOT o.is_suspended
"""

# The columns that the page shows. The menu's version covers everything else except availability.
RENDERED_FIELDS: Final = ("title", "slug", "phone", "address", "hours", "timezone", "menu_version")


@dataclass(frozen=True, slots=True)
class PublishedStore:
    """A published store with its current menu."""

    row: sql.Row
    menu: MenuSnapshot


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page ready to send, plain and compressed; ``policy`` is its Content-Security-Policy."""

    plain: bytes
    gzipped: bytes
    etag: str
    policy: str


_page_cache: OrderedDict[tuple[int, str], tuple[Hashable, RenderedPage]] = OrderedDict()


async def get_published_store(slug: str) -> PublishedStore:
    """Return a store by its slug. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    # The URL may contain text that is no slug, or that PostgreSQL cannot store.
    row = (
        await sql.fetch_one(SELECT_PUBLISHED_STORE, slug)
        if len(slug) <= MAX_SLUG_LENGTH and slug.isprintable()
        else None
    )
    if row is None:
        raise NotFound
    return PublishedStore(row, await snapshot.get_snapshot(row["id"], row["menu_version"], row["stock_version"]))


async def get_store_page(store: PublishedStore) -> RenderedPage:
    """Return the page of a store, rendered again only if its contents have changed."""
    opening = get_opening(store.row, clock.now())
    state = (
        tuple(store.row[name] for name in RENDERED_FIELDS),
        store.menu.version,
        _get_availability(store.menu),
        opening,
    )
    key = (store.row["id"], current_language().code)
    found = _page_cache.get(key)
    if found is not None and found[0] == state:
        _page_cache.move_to_end(key)
        return found[1]
    page = await _render(store, opening)
    _page_cache[key] = (state, page)
    _page_cache.move_to_end(key)
    if len(_page_cache) > MAX_CACHED_PAGES:
        _page_cache.popitem(last=False)
    return page


def _get_availability(menu: MenuSnapshot) -> Hashable:
    """Return what is available, without the stock left: it changes with every order and is not shown."""
    return tuple(
        (item.is_available, *(variant.stock is None or variant.stock > 0 for variant in item.variants))
        for item in menu.items.values()
    )


async def _render(store: PublishedStore, opening: Opening) -> RenderedPage:
    view = store_view.to_store_view(store.row, store.menu, opening)
    plain = (await render_template("storefront/shop.html", **view)).encode()
    return RenderedPage(
        plain=plain,
        gzipped=gzip.compress(plain, mtime=0),
        etag=f'W/"{hashlib.sha256(plain).hexdigest()[:24]}"',
        policy=_to_security_policy(view["photo_hosts"]),
    )


def _to_security_policy(photo_hosts: list[str]) -> str:
    """Return a Content-Security-Policy that allows this host's files, and the menu's photos from other hosts."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        f"img-src 'self' data: {' '.join(photo_hosts)}".rstrip()
        + "; base-uri 'none'; frame-ancestors 'none'"
    )
