"""Stores as seen by the public, by their owner and by their customers."""

from dataclasses import dataclass

from comanda.basics import NotFound
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.web import store_guests

SELECT_PUBLISHED_STORE = """
    SELECT s.id, s.owner_id, s.title, s.country FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.is_published AND NOT o.is_suspended
"""
SELECT_STORE = "SELECT id, owner_id, title, country FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class CustomerStore:
    """A store that customers register with. ``country`` is the default for phone numbers without a country code."""

    id: int
    owner_id: int
    title: str
    country: str | None


async def get_published_store(store_id: int) -> CustomerStore:
    """Return a public store. Raises ``NotFound`` if it is unknown, unpublished, or its owner is suspended."""
    return _to_store(await sql.fetch_one(SELECT_PUBLISHED_STORE, store_id))


async def get_published_store_by_slug(slug: str) -> CustomerStore:
    """Return a public store by the slug in its page's address. Raises ``NotFound`` as ``get_published_store`` does."""
    store = await store_guests.get_public_store(slug)
    return CustomerStore(store.id, store.owner_id, store.title, store.country)


async def get_owner_store(caller: Caller, store_id: int) -> CustomerStore:
    """Return an owner's store. Raises ``NotFound`` for another owner's, or one outside the token's reach."""
    reaches = caller.store_id in (None, store_id)
    return _to_store(await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if reaches else None)


async def get_customer_store(caller: Caller) -> CustomerStore:
    """Return the store of a customer's token, published or not. Raises ``NotFound``."""
    return _to_store(await sql.fetch_one(SELECT_STORE, caller.store_id, caller.owner_id))


def _to_store(row: sql.Row | None) -> CustomerStore:
    if row is None:
        raise NotFound
    return CustomerStore(row["id"], row["owner_id"], row["title"], row["country"])
