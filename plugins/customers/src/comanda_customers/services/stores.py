"""The store behind a request: as the public finds it, and as its customer does."""

from dataclasses import dataclass

from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound

SELECT_PUBLISHED_STORE = """
    SELECT s.id, s.owner_id, s.title, s.country FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.is_published AND NOT o.is_suspended
"""
SELECT_STORE = "SELECT id, owner_id, title, country FROM core_store WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class CustomerStore:
    """A store that customers register with. ``country`` is where numbers without a country's code belong."""

    id: int
    owner_id: int
    title: str
    country: str | None


async def get_published_store(store_id: int) -> CustomerStore:
    """Find a store as anybody may. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    return _to_store(await sql.fetch_one(SELECT_PUBLISHED_STORE, store_id))


async def get_owner_store(caller: Caller, store_id: int) -> CustomerStore:
    """Find an owner's store. Raises ``NotFound`` for another owner's, and for one that the token does not reach."""
    reaches = caller.store_id in (None, store_id)
    return _to_store(await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if reaches else None)


async def of_customer(caller: Caller) -> CustomerStore:
    """Find the store of a customer's token. Raises ``NotFound`` while it is not published."""
    return await get_published_store(caller.store_id or 0)


def _to_store(row: sql.Row | None) -> CustomerStore:
    if row is None:
        raise NotFound
    return CustomerStore(row["id"], row["owner_id"], row["title"], row["country"])
