"""The public menu as cached bytes, validated with one query."""

from comanda.menu import snapshot
from comanda.menu.snapshot import MenuSnapshot
from comanda.platform.db import sql
from comanda.platform.db.lookups.store_owners import cache_store_owner
from comanda.platform.db.replica.reads import read_from_replica

SELECT_VERSIONS = """
    SELECT s.owner_id, s.menu_version, s.stock_version FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.is_published AND NOT o.is_suspended
"""


@read_from_replica
async def get_public_menu(store_id: int, *, with_participants: bool = True) -> MenuSnapshot:
    """Return the current snapshot, see ``get_snapshot``.

    Raises ``NotFound`` if the store is unknown, unpublished or suspended.
    """
    store = await sql.require_one(SELECT_VERSIONS, store_id)
    cache_store_owner(store_id, store["owner_id"])
    return await snapshot.get_snapshot(
        store_id, store["menu_version"], store["stock_version"], with_participants=with_participants
    )
