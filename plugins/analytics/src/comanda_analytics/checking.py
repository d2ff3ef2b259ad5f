"""Compares the days with the orders, for whatever happened while nobody listened.

While the plugin is switched off, or an older version of the installation dispatches beside it, events pass it by.
"""

from typing import Final

import structlog
from comanda.db import sql
from comanda.orders.balance import IS_PAID, KEPT

from comanda_analytics import feed, filling

log = structlog.get_logger(__name__)

STORES: Final = "SELECT store_id, owner_id FROM analytics_store WHERE is_complete ORDER BY store_id, owner_id"
# Some payments send no event; a reader looks their orders up, and the fewer it finds changed the better.
CHANGED: Final = f"""
    SELECT o.id, o.owner_id, o.store_id, o.created_at, s.timezone
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
    WHERE o.store_id = $1 AND o.owner_id = $2 AND {feed.UNANNOUNCED} AND a.kept_minor <> {KEPT}
    ORDER BY o.id LIMIT {filling.SLICE}
"""
# One statement, so of one moment: with no event of the store's waiting, both sides are the same.
DIFFERS: Final = f"""
    SELECT NOT EXISTS (SELECT FROM core_outbox e WHERE e.done_at IS NULL AND e.store_id = $1 AND e.owner_id = $2)
        AND EXISTS (
            SELECT o.status, count(*), sum({IS_PAID}::int), sum(o.total_minor), sum({KEPT})
            FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 GROUP BY o.status
            EXCEPT
            SELECT status, sum(orders), sum(paid_orders), sum(total_minor), sum(kept_minor) FROM (
                SELECT status, orders, paid_orders, total_minor, kept_minor
                FROM analytics_day WHERE store_id = $1 AND owner_id = $2
                UNION ALL
                SELECT a.status, 0, 0, 0, {KEPT} - a.kept_minor
                FROM core_order o JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
                WHERE o.store_id = $1 AND o.owner_id = $2 AND {feed.UNANNOUNCED}) AS part
            GROUP BY status)
"""


async def check() -> None:
    """Count anew the stores whose days do not add up to their orders."""
    for store in await sql.fetch(STORES):
        place = store["store_id"], store["owner_id"]
        await _count_changed(*place)
        if await sql.fetch_value(DIFFERS, *place):
            log.warning("analytics_differ", store_id=place[0], owner_id=place[1])
            await filling.rebuild(place[0])


async def _count_changed(store_id: int, owner_id: int) -> None:
    while orders := await sql.fetch(CHANGED, store_id, owner_id):
        async with sql.transaction():
            await feed.hold({(store_id, owner_id): orders[0]["timezone"]})
            await feed.count(orders)
