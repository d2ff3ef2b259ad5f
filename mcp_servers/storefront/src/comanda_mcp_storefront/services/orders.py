"""Orders of a storefront's store."""

from comanda.contracts import Caller
from comanda.orders import hash_track_token
from comanda.platform.db import sql

SELECT_TRACKED_ORDER = "SELECT 1 FROM core_order_v1 WHERE track_hash = $1 AND owner_id = $2 AND store_id = $3"


async def is_order_of_store(caller: Caller, store_id: int, track_token: str) -> bool:
    """Return whether a track token belongs to an order of the store."""
    digest = hash_track_token(track_token)
    return await sql.fetch_value(SELECT_TRACKED_ORDER, digest, caller.owner_id, store_id) is not None
