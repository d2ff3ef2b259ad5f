"""The store behind a request without a token: where its staff log in."""

from dataclasses import dataclass

from comanda.db import sql
from comanda.errors import NotFound

# Staff prepare a store that is not published yet; a suspended one is not there.
FIND = """
    SELECT s.id, s.owner_id, s.title FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND NOT o.is_suspended
"""


@dataclass(frozen=True, slots=True)
class Shop:
    """A store that people work in."""

    id: int
    owner_id: int
    title: str


async def find(store_id: int) -> Shop:
    """Find a store that staff log in to. Raises ``NotFound`` for one that is unknown or suspended."""
    row = await sql.fetch_one(FIND, store_id)
    if row is None:
        raise NotFound
    return Shop(row["id"], row["owner_id"], row["title"])
