"""The owner of a store, for public addresses that name the store alone.

A store never changes hands, so each process asks once and every other statement names the owner.
"""

from typing import Final
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from tortoise.context import TortoiseContext, require_context

from comanda.platform.db import sql

MAX_STORES: Final = 100_000
SELECT_OWNER_OF_STORE: Final = "SELECT owner_id FROM core_store WHERE id = $1"

# By open database.
_owners: Final[WeakKeyDictionary[TortoiseContext, LRUCache[int, int]]] = WeakKeyDictionary()


async def find_store_owner(store_id: int) -> int | None:
    """Return the id of a store's owner, or None if there is no such store."""
    owners = _get_owners()
    if store_id in owners:
        return owners[store_id]
    owner_id: int | None = await sql.fetch_value(SELECT_OWNER_OF_STORE, store_id)
    if owner_id is not None:
        owners[store_id] = owner_id
    return owner_id


def cache_store_owner(store_id: int, owner_id: int) -> None:
    """Cache the owner of a store that was read with something else, so that it is not asked for."""
    _get_owners()[store_id] = owner_id


def _get_owners() -> LRUCache[int, int]:
    return _owners.setdefault(require_context(), LRUCache(MAX_STORES))
