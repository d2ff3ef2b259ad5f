"""What a store sold on which days: from the days that were added up, or from the orders themselves.

The sums of days lag behind orders for as long as an event waits to be followed. A reader does not: it adds what the
orders of waiting events have changed, in the same statement and so of the same moment. That holds for payments too:
an event tells when an order is paid in full and when money went back; orders whose money may have changed otherwise are
looked up.
"""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.orders.balance import IS_PAID, KEPT

from comanda_analytics.feed import EVENTS, UNANNOUNCED
from comanda_analytics.periods import Period

# $1 store, $2 owner, $3 and $4 first and last day, $5 and $6 where the days begin and where the last one ends.
OF_RANGE = "o.store_id = $1 AND o.owner_id = $2 AND o.created_at >= ($5::timestamptz[])[1] AND o.created_at < $6"
DAY = "$3::date + width_bucket(o.created_at, $5::timestamptz[]) - 1"

# The orders that may have changed since they were counted, once as they are and once, with the other sign, as they
# were counted. $7 names the events that tell of changes.
CHANGED = f"""
    WITH pending AS (
        SELECT (e.data ->> 'order_id')::bigint AS id FROM core_outbox e
        WHERE e.done_at IS NULL AND e.store_id = $1 AND e.owner_id = $2 AND e.name = ANY($7::text[])
        UNION
        SELECT o.id FROM core_order o WHERE {OF_RANGE} AND {UNANNOUNCED}),
    changed AS (
        SELECT o.id, {DAY} AS day, o.type, o.status, 1 AS orders, ({IS_PAID})::int AS paid_orders, o.total_minor,
            {KEPT} AS kept_minor
        FROM pending JOIN core_order o ON o.id = pending.id AND {OF_RANGE}
        UNION ALL
        SELECT a.order_id, a.day, a.type, a.status, -1, -a.is_paid::int, -a.total_minor, -a.kept_minor
        FROM pending JOIN analytics_order a ON a.order_id = pending.id AND a.owner_id = $2 AND a.store_id = $1
        WHERE a.day BETWEEN $3 AND $4)
"""
# Sums are numeric, whatever orders come to.
SALES = """
    SELECT day, type, status, sum(orders) AS orders, sum(paid_orders) AS paid_orders, sum(total_minor) AS total_minor,
        sum(kept_minor) AS kept_minor
"""
COUNTED_SALES = f"""
    {CHANGED} {SALES} FROM (
        SELECT d.day, d.type, d.status, d.orders, d.paid_orders, d.total_minor, d.kept_minor FROM analytics_day d
        WHERE d.store_id = $1 AND d.owner_id = $2 AND d.day BETWEEN $3 AND $4
        UNION ALL
        SELECT day, type, status, orders, paid_orders, total_minor, kept_minor FROM changed) AS part
    GROUP BY day, type, status
"""
LIVE_SALES = f"""
    {SALES} FROM (
        SELECT {DAY} AS day, o.type, o.status, 1 AS orders, ({IS_PAID})::int AS paid_orders, o.total_minor,
            {KEPT} AS kept_minor
        FROM core_order o WHERE {OF_RANGE} AND $4::date >= $3) AS part
    GROUP BY day, type, status
"""
# An item has the name that the menu has; one that was deleted, the name that it was last sold under.
TOP = """
    SELECT sold.item_id, coalesce(i.name, sold.name) AS name, sold.quantity FROM (
        SELECT item_id, (array_agg(name ORDER BY day DESC))[1] AS name, sum(quantity)::bigint AS quantity
        FROM part GROUP BY item_id HAVING sum(quantity) > 0) AS sold
    LEFT JOIN core_menu_item i ON i.id = sold.item_id AND i.owner_id = $2
    ORDER BY sold.quantity DESC, 2, sold.item_id LIMIT 10
"""
COUNTED_ITEMS = f"""
    {CHANGED},
    turned AS (
        SELECT id, day, sum(orders) AS sign FROM changed WHERE status <> '{Status.CANCELLED}'
        GROUP BY id, day HAVING sum(orders) <> 0),
    part AS (
        SELECT d.day, d.item_id, d.name, d.quantity FROM analytics_item_day d
        WHERE d.store_id = $1 AND d.owner_id = $2 AND d.day BETWEEN $3 AND $4
        UNION ALL
        SELECT turned.day, l.item_id, l.name, turned.sign * l.quantity
        FROM turned JOIN core_order_line l ON l.order_id = turned.id AND l.owner_id = $2)
    {TOP}
"""
LIVE_ITEMS = f"""
    WITH part AS (
        SELECT o.created_at AS day, l.item_id, l.name, l.quantity
        FROM core_order o JOIN core_order_line l ON l.order_id = o.id AND l.owner_id = o.owner_id
        WHERE {OF_RANGE} AND o.status <> '{Status.CANCELLED}' AND $4::date >= $3)
    {TOP}
"""


@dataclass(frozen=True, slots=True)
class Sales:
    """Orders of one day, type and status, added up; ``kept_minor`` is what was paid less what was refunded."""

    day: date
    type: str
    status: str
    orders: int
    paid_orders: int
    total_minor: int
    kept_minor: int


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads what a store sold in a range of days. Its days ``are_counted`` when all of its orders have been."""

    store_id: int
    owner_id: int
    zone: ZoneInfo
    are_counted: bool

    async def sales(self, period: Period) -> list[Sales]:
        """Add up the orders that were placed in the range, by day, type and status."""
        rows = await self._rows(COUNTED_SALES, LIVE_SALES, period)
        return [_sales(row) for row in rows if row["orders"]]

    async def top_items(self, period: Period) -> list[sql.Row]:
        """List the ten items that most were ordered of, with id, name and quantity; cancelled orders left out."""
        return await self._rows(COUNTED_ITEMS, LIVE_ITEMS, period)

    async def _rows(self, counted: str, live: str, period: Period) -> list[sql.Row]:
        *begins, end = period.bounds(self.zone)
        given = (self.store_id, self.owner_id, period.first, period.last, begins, end)
        return await (sql.fetch(counted, *given, EVENTS) if self.are_counted else sql.fetch(live, *given))


def _sales(row: sql.Row) -> Sales:
    sums = {name: int(row[name]) for name in ("orders", "paid_orders", "total_minor", "kept_minor")}
    return Sales(day=row["day"], type=row["type"], status=row["status"], **sums)
