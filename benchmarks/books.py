"""Comparison of what clients were told with what is in the database, and of the books with the orders."""

from collections.abc import Mapping
from typing import Final

import asyncpg

SELECT_ORDERS: Final = "SELECT id, idempotency_key FROM core_order"
# Each counts what must not be there.
CHECKS: Final = {
    "gaps in the numbers of orders": """
        SELECT coalesce(sum(last - orders), 0) FROM (
            SELECT max(number) AS last, count(*) AS orders FROM core_order GROUP BY store_id, business_date) days
    """,
    "orders that reports count wrongly": """
        SELECT abs((SELECT count(*) FROM core_order) - (SELECT coalesce(sum(orders), 0) FROM analytics_day))
            + (SELECT count(*) FROM core_order o LEFT JOIN analytics_order a
               ON a.order_id = o.id AND a.owner_id = o.owner_id WHERE a.order_id IS NULL)
    """,
    "minor units that reports count wrongly": """
        SELECT abs((SELECT sum(total_minor) FROM core_order) - (SELECT sum(total_minor) FROM analytics_day))
    """,
    "orders that guests are counted wrongly for": """
        SELECT abs((SELECT count(*) FROM core_order WHERE phone IS NOT NULL)
            - (SELECT coalesce(sum(orders), 0) FROM customers_guest))
    """,
    "orders with other than one webhook stored": """
        SELECT count(*) FROM (SELECT o.id FROM core_order o LEFT JOIN webhooks_delivery d
            ON d.owner_id = o.owner_id AND d.event = 'order.created'
                AND (d.body::jsonb #>> '{data,order_id}')::bigint = o.id
            GROUP BY o.id HAVING count(d.id) <> 1) wrong
    """,
}


async def check_books(url: str, accepted: Mapping[int, str]) -> dict[str, int]:
    """Count what is wrong; ``accepted`` are the keys of the orders that clients were told of, by id."""
    connection = await asyncpg.connect(url)
    try:
        stored = {row["id"]: row["idempotency_key"] for row in await connection.fetch(SELECT_ORDERS)}
        found = {
            "accepted orders that were lost": sum(stored.get(id_) != key for id_, key in accepted.items()),
            "orders placed twice": len(stored) - len(set(stored.values())),
            "orders that no client knows of": len(stored.keys() - accepted.keys()),
        }
        for name, statement in CHECKS.items():
            found[name] = int(await connection.fetchval(statement))
        return found
    finally:
        await connection.close()
