"""Published stores as their pages show them: by the slug, with their theme and their menu in the guest's language."""

from dataclasses import dataclass, replace
from functools import partial

from comanda.basics import require_found
from comanda.menu import MenuSnapshot, PriceChannel, get_at_prices, languages, list_price_lists_for, snapshot
from comanda.orders import list_modes
from comanda.platform.db import sql
from comanda.stores import may_be_slug
from comanda.web import current_language

from comanda_storefront.services.page_channel import PAGE_CHANNEL

SELECT_PUBLISHED_STORE = """
    SELECT s.id, s.owner_id, s.title, s.slug, s.store_type, s.country, s.phone, s.address, s.hours, s.timezone,
           s.is_published, s.menu_version, s.stock_version, s.logo_hash, s.cover_hash,
           t.version_id AS theme_version_id
    FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    LEFT JOIN themes_live_v1 t ON t.owner_id = s.owner_id AND t.store_id = s.id
    WHERE s.slug = $1 AND s.is_published AND NOT o.is_suspended
"""


@dataclass(frozen=True, slots=True)
class PublishedStore:
    """A published store with its current menu; ``priced_modes`` are those in which items cost something else."""

    row: sql.Row
    menu: MenuSnapshot
    priced_modes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path of its first page."""
        return f"/s/{self.row['slug']}"


async def get_published_store(slug: str) -> PublishedStore:
    """Return a store by its slug. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    row = require_found(await sql.fetch_one(SELECT_PUBLISHED_STORE, slug) if may_be_slug(slug) else None)
    menu = await snapshot.get_snapshot(row["id"], row["menu_version"], row["stock_version"])
    return PublishedStore(row, await languages.get_in_language(menu, current_language().code))


async def get_priced_store(slug: str, mode: str | None = None) -> PublishedStore:
    """Return a store with its menu at the prices of a mode of its page; without one, at those of all modes.

    Raises ``NotFound`` like ``get_published_store``.
    """
    store = await get_published_store(slug)
    if not store.menu.current_lists:
        return store
    channel = PriceChannel.STOREFRONT
    find = partial(list_price_lists_for, store.menu, channel=channel)
    codes = [each.code for each in list_modes(store.menu.terms, PAGE_CHANNEL)]
    return replace(
        store,
        menu=await get_at_prices(store.menu, mode if mode in codes else None, channel),
        priced_modes=tuple([code for code in codes if find(code) != find(None)]),
    )
