"""Published stores as their pages show them: by the slug, with their theme and their menu in the guest's language."""

from dataclasses import dataclass

from comanda.basics import NotFound
from comanda.menu import MenuSnapshot, languages, snapshot
from comanda.platform.db import sql
from comanda.stores import may_be_slug
from comanda.web import current_language

SELECT_PUBLISHED_STORE = """
    SELECT s.id, s.owner_id, s.title, s.slug, s.store_type, s.country, s.phone, s.address, s.hours, s.timezone,
           s.is_published, s.menu_version, s.stock_version, t.version_id AS theme_version_id
    FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    LEFT JOIN themes_live_v1 t ON t.owner_id = s.owner_id AND t.store_id = s.id
    WHERE s.slug = $1 AND s.is_published AND NOT o.is_suspended
"""


@dataclass(frozen=True, slots=True)
class PublishedStore:
    """A published store with its current menu."""

    row: sql.Row
    menu: MenuSnapshot

    @property
    def path(self) -> str:
        """The path of its first page."""
        return f"/s/{self.row['slug']}"


async def get_published_store(slug: str) -> PublishedStore:
    """Return a store by its slug. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    row = await sql.fetch_one(SELECT_PUBLISHED_STORE, slug) if may_be_slug(slug) else None
    if row is None:
        raise NotFound
    menu = await snapshot.get_snapshot(row["id"], row["menu_version"], row["stock_version"])
    return PublishedStore(row, await languages.get_in_language(menu, current_language().code))
