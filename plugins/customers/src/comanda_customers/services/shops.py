"""The store behind a request: as the public finds it, and as its customer does."""

from dataclasses import dataclass

from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound

OPEN = """
    SELECT s.id, s.owner_id, s.title, s.country FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.is_published AND NOT o.is_suspended
"""
OWN = "SELECT id, owner_id, title, country FROM core_store WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Shop:
    """A store that customers register with. ``country`` is where numbers without a country's code belong."""

    id: int
    owner_id: int
    title: str
    country: str | None


async def open_to_all(store_id: int) -> Shop:
    """Find a store as anybody may. Raises ``NotFound`` for one that is unknown, unpublished or suspended."""
    return _shop(await sql.fetch_one(OPEN, store_id))


async def of_owner(caller: Caller, store_id: int) -> Shop:
    """Find an owner's store. Raises ``NotFound`` for another owner's, and for one that the token does not reach."""
    reaches = caller.store_id in (None, store_id)
    return _shop(await sql.fetch_one(OWN, store_id, caller.owner_id) if reaches else None)


async def of_customer(caller: Caller) -> Shop:
    """Find the store of a customer's token. Raises ``NotFound`` while it is not published."""
    return await open_to_all(caller.store_id or 0)


def _shop(row: sql.Row | None) -> Shop:
    if row is None:
        raise NotFound
    return Shop(row["id"], row["owner_id"], row["title"], row["country"])
