"""The comparison of daily totals with the orders, which finds missed events.

Events are missed while the plugin is disabled, or while an older version of the installation dispatches them.
"""

from typing import Final

import structlog
from comanda.orders import KEPT, WAS_COVERED
from comanda.platform.db import sql

from comanda_analytics.services import backfill, daily_totals
from comanda_analytics.services.amounts import AMOUNTS, AMOUNTS_OF_ORDER, list_columns

log = structlog.get_logger(__name__)

SELECT_COMPLETE_STORES: Final = (
    "SELECT store_id, owner_id FROM analytics_store WHERE is_complete ORDER BY store_id, owner_id"
)
UNANNOUNCED: Final = daily_totals.SELECT_UNANNOUNCED.format(scope="o.store_id = $1 AND o.owner_id = $2")
# Some payments send no event; reports look up such orders, so fewer of them make reports faster.
SELECT_CHANGED_ORDERS: Final = f"""
    SELECT o.id, o.owner_id, o.store_id, o.created_at, s.timezone
    FROM core_order_v1 o JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.id IN ({UNANNOUNCED}) AND a.kept_minor <> {KEPT}
    ORDER BY o.id LIMIT {backfill.SLICE_SIZE}
"""
# One statement sees one snapshot: without pending events of the store, both sides must be equal.
SELECT_HAS_DIFFERENCES: Final = f"""
    SELECT NOT EXISTS (
            SELECT FROM core_pending_event_v1 e
            WHERE {daily_totals.IS_PENDING} AND e.store_id = $1 AND e.owner_id = $2)
        AND EXISTS (
            SELECT status, count(*), sum(was_covered::int), {list_columns(AMOUNTS, "sum({0})")}
            FROM (
                SELECT o.status, {WAS_COVERED} AS was_covered, {AMOUNTS_OF_ORDER}
                FROM core_order_v1 o WHERE o.store_id = $1 AND o.owner_id = $2) AS present
            GROUP BY status
            EXCEPT
            SELECT status, sum(orders), sum(paid_orders), {list_columns(AMOUNTS, "sum({0})")}
            FROM (
                SELECT status, orders, paid_orders, {list_columns(AMOUNTS)}
                FROM analytics_day WHERE store_id = $1 AND owner_id = $2
                UNION ALL
                SELECT a.status, 0, 0, 0, {KEPT} - a.kept_minor, 0, 0, 0
                FROM core_order_v1 o JOIN analytics_order a ON a.order_id = o.id AND a.owner_id = o.owner_id
                WHERE o.store_id = $1 AND o.owner_id = $2 AND o.id IN ({UNANNOUNCED})) AS part
            GROUP BY status)
"""


async def check_totals() -> None:
    """Rebuild the stores whose daily totals differ from their orders."""
    for store in await sql.fetch(SELECT_COMPLETE_STORES):
        store_id, owner_id = store["store_id"], store["owner_id"]
        await _update_changed_orders(store_id, owner_id)
        if await sql.fetch_value(SELECT_HAS_DIFFERENCES, store_id, owner_id):
            log.warning("analytics_differ", store_id=store_id, owner_id=owner_id)
            await backfill.rebuild_totals(store_id)


async def _update_changed_orders(store_id: int, owner_id: int) -> None:
    while orders := await sql.fetch(SELECT_CHANGED_ORDERS, store_id, owner_id):
        async with sql.transaction():
            await daily_totals.lock_stores({(store_id, owner_id): orders[0]["timezone"]})
            await daily_totals.update_totals(orders)
