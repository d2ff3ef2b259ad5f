"""Stores as seen by requests without a token, such as a staff login."""

from dataclasses import dataclass

from comanda.basics import NotFound
from comanda.platform.db import sql

# Staff also work in stores that are not published yet; stores of suspended owners are excluded.
SELECT_STORE = """
    SELECT s.id, s.owner_id, s.title FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.id = $1 AND NOT o.is_suspended
"""


@dataclass(frozen=True, slots=True)
class StaffStore:
    """A store that staff log in to."""

    id: int
    owner_id: int
    title: str


async def get_store(store_id: int) -> StaffStore:
    """Return a store that staff log in to. Raises ``NotFound`` if it is unknown or its owner is suspended."""
    row = await sql.fetch_one(SELECT_STORE, store_id)
    if row is None:
        raise NotFound
    return StaffStore(row["id"], row["owner_id"], row["title"])
