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
# What holds for every ledger, regardless of who wrote to it.
LEDGERS: Final = {
    "orders without lines": """
        SELECT count(*) FROM core_order o
        WHERE NOT EXISTS (SELECT FROM core_order_line l WHERE l.order_id = o.id AND l.owner_id = o.owner_id)
    """,
    "orders whose lines add up to something else": """
        SELECT count(*) FROM core_order o JOIN (
            SELECT order_id, owner_id, sum(unit_price_minor * quantity) AS subtotal, sum(discount_minor) AS discount
            FROM core_order_line GROUP BY order_id, owner_id) l ON l.order_id = o.id AND l.owner_id = o.owner_id
        WHERE o.subtotal_minor <> l.subtotal OR o.discount_total_minor <> l.discount
    """,
    "orders whose total is another": """
        SELECT count(*) FROM core_order
        WHERE total_minor <> subtotal_minor - discount_total_minor + service_charge_minor + delivery_fee_minor
            + charges_minor + CASE WHEN is_tax_included THEN 0 ELSE tax_total_minor END + tip_minor
    """,
    "stores whose tally is another": """
        SELECT count(*) FROM core_order_tally t JOIN (
            SELECT store_id, count(*) FILTER (WHERE status = 'new') AS new,
                count(*) FILTER (WHERE status = 'preparing') AS preparing,
                count(*) FILTER (WHERE status = 'ready') AS ready,
                count(*) FILTER (WHERE status = 'delivered') AS delivered,
                count(*) FILTER (WHERE status = 'completed') AS completed,
                count(*) FILTER (WHERE status = 'cancelled') AS cancelled
            FROM core_order GROUP BY store_id) o USING (store_id)
        WHERE (t.new, t.preparing, t.ready, t.delivered, t.completed, t.cancelled)
            IS DISTINCT FROM (o.new, o.preparing, o.ready, o.delivered, o.completed, o.cancelled)
    """,
    "orders whose payments are others": """
        SELECT count(*) FROM core_order o LEFT JOIN (
            SELECT order_id, owner_id, sum(amount_minor) AS paid FROM payments_payment
            WHERE status = 'succeeded' GROUP BY order_id, owner_id) p ON p.order_id = o.id AND p.owner_id = o.owner_id
        WHERE o.paid_minor <> coalesce(p.paid, 0)
    """,
    "items with less than no stock": """
        SELECT (SELECT count(*) FROM core_menu_item WHERE stock < 0)
            + (SELECT count(*) FROM core_variant WHERE stock < 0)
    """,
    "wallets whose entries add up to something else": """
        SELECT count(*) FROM wallet_wallet w
        WHERE balance_minor <> coalesce((SELECT sum(amount_minor) FROM wallet_entry e WHERE e.owner_id = w.owner_id), 0)
    """,
    "entries of wallets that do not balance": """
        SELECT count(*) FROM (SELECT entry_id FROM wallet_leg GROUP BY entry_id, owner_id
            HAVING sum(amount_minor) <> 0) wrong
    """,
    "gift cards whose entries add up to something else": """
        SELECT count(*) FROM payments_gift_card c WHERE balance_minor <> coalesce((SELECT sum(amount_minor)
            FROM payments_gift_card_entry e WHERE e.card_id = c.id AND e.owner_id = c.owner_id), 0)
    """,
    "store credits whose entries add up to something else": """
        SELECT count(*) FROM payments_credit_account c WHERE balance_minor <> coalesce((SELECT sum(amount_minor)
            FROM payments_credit_entry e WHERE e.account_id = c.id AND e.owner_id = c.owner_id), 0)
    """,
    "drivers whose cash adds up to something else": """
        SELECT count(*) FROM payments_driver_cash c WHERE balance_minor <> coalesce((SELECT sum(amount_minor)
            FROM payments_driver_cash_entry e WHERE e.cash_id = c.id AND e.owner_id = c.owner_id), 0)
    """,
    "closed drawers that expect something else": """
        SELECT count(*) FROM drawer_shift s WHERE status = 'closed' AND expected_minor <> coalesce((
            SELECT sum(amount_minor) FROM drawer_movement m
            WHERE m.shift_id = s.id AND m.owner_id = s.owner_id AND m.booked_at <= s.closed_at), 0)
    """,
}


async def check_ledgers(url: str) -> dict[str, int]:
    """Count what is wrong in the ledgers."""
    connection = await asyncpg.connect(url)
    try:
        return {name: int(await connection.fetchval(statement)) for name, statement in LEDGERS.items()}
    finally:
        await connection.close()


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
