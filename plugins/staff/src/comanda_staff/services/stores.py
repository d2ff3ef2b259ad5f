"""Stores as seen by requests without a token, such as a staff login."""

from dataclasses import dataclass

from comanda.basics import NotFound
from comanda.contracts import parse_id
from comanda.platform.db import sql
from comanda.stores import may_be_slug

# Staff also work in stores that are not published yet; stores of suspended owners are excluded.
SELECT_STORE = """
    SELECT s.id, s.owner_id, s.title FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.id = $1 AND NOT o.is_suspended
"""
# Staff who set up an unpublished store know its slug. Ids can be enumerated, so they find published stores only.
SELECT_STORE_AT = """
    SELECT s.id, s.title, s.slug FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE (s.slug = $1 OR (s.id = $2 AND s.is_published)) AND NOT o.is_suspended ORDER BY s.slug = $1 DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class StaffStore:
    """A store that staff log in to."""

    id: int
    owner_id: int
    title: str


async def get_store(store_id: int) -> StaffStore:
    """Return a store that staff log in to. Raises ``NotFound`` if it is unknown or its owner is suspended."""
    row = await sql.require_one(SELECT_STORE, store_id)
    return StaffStore(row["id"], row["owner_id"], row["title"])


async def get_store_at(address: str) -> sql.Row:
    """Return the id, title and slug of the store with this slug, or this id if it is published. Raises ``NotFound``."""
    row = await sql.fetch_one(SELECT_STORE_AT, address, parse_id(address)) if may_be_slug(address) else None
    if row is None:
        raise NotFound
    return row
