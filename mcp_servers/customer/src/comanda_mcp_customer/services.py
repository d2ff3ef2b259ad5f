"""Orders of a customer."""

from collections.abc import Sequence

from comanda.basics import NotFound
from comanda.contracts import Caller, PageRequest
from comanda.orders import EVERY_ORDER, Order, OrderScope, hash_track_token, search_orders
from comanda.platform.db import sql

SELECT_TRACKED_ORDER = """
    SELECT track_token FROM core_order_v1
    WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3 AND (id = $4::bigint OR track_hash = $5::bytea)
"""


async def list_latest_orders(caller: Caller, limit: int) -> Sequence[Order]:
    """List the customer's latest orders in the store of their token, with their lines."""
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    scope = OrderScope(caller.owner_id, caller.store_id, customer_id=caller.subject_id)
    return (await search_orders(scope, EVERY_ORDER, PageRequest(1, limit), with_lines=True)).data


async def find_track_token(caller: Caller, order_id: int | None, track_token: str | None) -> str | None:
    """Return the track token of the customer's order with this id or this track token, or None."""
    digest = None if track_token is None else hash_track_token(track_token)
    found: str | None = await sql.fetch_value(
        SELECT_TRACKED_ORDER, caller.owner_id, caller.store_id, caller.subject_id, order_id, digest
    )
    return found
