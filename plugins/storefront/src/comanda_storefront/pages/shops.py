"""A store's public page: found by its slug, drawn once per version of what it shows, and kept ready to send."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from comanda import clock
from comanda.db import sql
from comanda.errors import NotFound
from comanda.menu import snapshot
from comanda.menu.snapshot import MenuSnapshot
from comanda.stores.records import to_opening_record
from quart import render_template

from comanda_storefront.pages import showing

SLUG_LENGTH: Final = 100
# Pages of the busy stores of one process; one of 200 items with many choices is some 300 kB.
KEPT: Final = 100

FIND = """
    SELECT s.id, s.owner_id, s.title, s.slug, s.phone, s.address, s.hours, s.timezone, s.is_published, s.menu_version,
           s.stock_version
    FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.slug = $1 AND s.is_published AND NOT o.is_suspended
"""

# What the page shows of the row; the menu's version changes with everything else but what is left in stock.
SHOWN: Final = ("title", "slug", "phone", "address", "hours", "timezone", "menu_version")


@dataclass(frozen=True, slots=True)
class Shop:
    """A store that guests may see, with its menu as it is now."""

    row: sql.Row
    menu: MenuSnapshot


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page ready to send, plain and compressed; ``policy`` is its Content-Security-Policy."""

    plain: bytes
    gzipped: bytes
    etag: str
    policy: str


_kept: OrderedDict[int, tuple[Hashable, Sheet]] = OrderedDict()


async def find(slug: str) -> Shop:
    """Return a store by its slug. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    # An address may hold what is no slug, and what PostgreSQL keeps in no text.
    row = await sql.fetch_one(FIND, slug) if len(slug) <= SLUG_LENGTH and slug.isprintable() else None
    if row is None:
        raise NotFound
    return Shop(row, await snapshot.get_snapshot(row["id"], row["menu_version"], row["stock_version"]))


async def sheet(shop: Shop) -> Sheet:
    """Return the page of a store, drawing it only when something on it has changed."""
    opening = to_opening_record(shop.row, clock.now())
    state = (tuple(shop.row[name] for name in SHOWN), shop.menu.version, _to_be_had(shop.menu), *opening.values())
    found = _kept.get(shop.row["id"])
    if found is not None and found[0] == state:
        _kept.move_to_end(shop.row["id"])
        return found[1]
    made = await _drawn(shop, opening)
    _kept[shop.row["id"]] = (state, made)
    _kept.move_to_end(shop.row["id"])
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return made


def _to_be_had(menu: MenuSnapshot) -> Hashable:
    """Tell what can be had, but not how much of it is left: that changes with every order and is not shown."""
    return tuple(
        (item["is_available"], *(variant["stock"] is None or variant["stock"] > 0 for variant in item["variants"]))
        for item in menu.items.values()
    )


async def _drawn(shop: Shop, opening: dict[str, Any]) -> Sheet:
    view = showing.shop_view(shop.row, shop.menu, opening)
    plain = (await render_template("storefront/shop.html", **view)).encode()
    return Sheet(
        plain=plain,
        gzipped=gzip.compress(plain, mtime=0),
        etag=f'W/"{hashlib.sha256(plain).hexdigest()[:24]}"',
        policy=_policy(view["photo_hosts"]),
    )


def _policy(photo_hosts: list[str]) -> str:
    """Allow this host's files, and of others nothing but the photos that the owner put on the menu."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        f"img-src 'self' data: {' '.join(photo_hosts)}".rstrip()
        + "; base-uri 'none'; frame-ancestors 'none'"
    )
