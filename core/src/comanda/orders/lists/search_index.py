"""The index of the text search: which orders may match, by their grams.

Orders are added in the background some time after they were placed, oldest first; those after the last that was added
are all candidates. So placing an order costs nothing more, and an index that lags makes a search slow, never wrong.
"""

from itertools import takewhile
from typing import Final

from comanda.basics import clock
from comanda.orders.erasure import lock_for_copying
from comanda.orders.lists.page_anchors import SETTLED_AFTER
from comanda.orders.lists.search_grams import GRAMS, SearchText
from comanda.platform.db import sql
from comanda.platform.db.cluster.placements import split_by_statement

# Beyond this it is faster to compare all orders than to read so many by their ids.
MAX_CANDIDATES: Final = 5000
BATCH_SIZE: Final = 1000
MAX_BATCHES: Final = 200

LAST_ADDED: Final = "(SELECT coalesce(max(order_id), 0) FROM core_order_search)"
SELECT_NEXT_ORDERS: Final = f"""
    SELECT id, owner_id, created_at FROM core_order WHERE id > {LAST_ADDED} ORDER BY id LIMIT $1
"""
ADD_ORDERS: Final = f"""
    INSERT INTO core_order_search (order_id, owner_id, store_id, grams)
    SELECT o.id, o.owner_id, o.store_id, {GRAMS} FROM core_order o
    WHERE o.id = ANY($1::bigint[]) AND o.owner_id = ANY($2::bigint[])
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""
SELECT_CANDIDATES: Final = f"""
    SELECT s.order_id AS id FROM core_order_search s WHERE s.owner_id = $1 AND s.store_id = $2 AND ({{}})
    UNION ALL
    SELECT o.id FROM core_order o WHERE o.owner_id = $1 AND o.store_id = $2 AND o.id > {LAST_ADDED}
    LIMIT {MAX_CANDIDATES + 1}
"""


async def find_candidates(owner_id: int, store_id: int, text: SearchText) -> list[int] | None:
    """Return ids of the store's orders, with all that match the text among them.

    None if the text is too short for the index, or if so many may match that comparing all is faster.
    """
    sought = text.list_grams(store_id)
    if sought is None:
        return None
    conditions = " OR ".join(f"s.grams @> ${place}::text[]" for place in range(3, len(sought) + 3))
    rows = await sql.fetch(SELECT_CANDIDATES.format(conditions), owner_id, store_id, *sought)
    if len(rows) > MAX_CANDIDATES:
        return None
    ids = {row["id"] for row in rows}
    return sorted(ids if text.number is None else ids | {text.number})


async def add_settled_orders() -> int:
    """Add orders to the index that are old enough for no older one to be still uncommitted; return how many."""
    added = 0
    for _ in range(MAX_BATCHES):
        batch = await _add_batch()
        added += batch
        if batch < BATCH_SIZE:
            break
    return added


async def _add_batch() -> int:
    settled_before = clock.now() - SETTLED_AFTER
    async with sql.transaction():
        await lock_for_copying()
        orders = await sql.fetch(SELECT_NEXT_ORDERS, BATCH_SIZE)
        settled = list(takewhile(lambda order: order["created_at"] < settled_before, orders))
        if settled:
            order_ids = [order["id"] for order in settled]
            for owner_ids in await split_by_statement("core_order_search", [order["owner_id"] for order in settled]):
                await sql.execute(ADD_ORDERS, order_ids, owner_ids)
    return len(settled)
