"""The public menu as cached bytes, validated with one query."""

from comanda.db import sql
from comanda.db.replica import read_from_replica
from comanda.errors import NotFound
from comanda.menu import snapshot
from comanda.menu.snapshot import MenuSnapshot

SELECT_VERSIONS = """
    SELECT s.menu_version, s.stock_version FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.id = $1 AND s.is_published AND NOT o.is_suspended
"""


@read_from_replica
async def get_public_menu(store_id: int) -> MenuSnapshot:
    """Return the current snapshot. Raises ``NotFound`` if the store is unknown, unpublished or suspended."""
    store = await sql.fetch_one(SELECT_VERSIONS, store_id)
    if store is None:
        raise NotFound
    return await snapshot.get_snapshot(store_id, store["menu_version"], store["stock_version"])
