"""The sales of a store by day, from its daily totals or from the orders themselves.

Daily totals lag behind orders while events are pending. Reports do not: the orders of pending events are applied in the
same statement, and so of the same snapshot. The same holds for payments: an event is sent when an order becomes paid
and when a refund completes; orders whose payments may have changed otherwise are looked up.
"""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from comanda.contracts import Status
from comanda.orders import WAS_COVERED
from comanda.platform.db import sql

from comanda_analytics.services import daily_totals
from comanda_analytics.services.amounts import AMOUNTS, AMOUNTS_OF_ORDER, list_columns
from comanda_analytics.services.daily_totals import EVENT_NAMES, JOIN_AMENDMENTS, SELECT_UNANNOUNCED
from comanda_analytics.services.periods import ReportPeriod

# $1 store, $2 owner, $3 and $4 first and last day, $5 the beginnings of the days, $6 the end of the last one.
# The day of business narrows the index to recent orders. In no zone it begins two days after the one in UTC.
IN_RANGE = """o.store_id = $1 AND o.owner_id = $2 AND o.created_at >= ($5::timestamptz[])[1] AND o.created_at < $6
    AND o.business_date >= ($5::timestamptz[])[1]::date - 2"""
DAY_OF_ORDER = "$3::date + width_bucket(o.created_at, $5::timestamptz[]) - 1"

# The orders that may have changed since they were counted: once as they are now, and once as they were counted, with a
# negative sign. $7 are the names of the events that announce changes.
WITH_CHANGED_ORDERS = f"""
    WITH pending AS (
        SELECT (e.data ->> 'order_id')::bigint AS id FROM core_pending_event_v1 e
        WHERE {daily_totals.IS_PENDING} AND e.store_id = $1 AND e.owner_id = $2 AND e.name = ANY($7::text[])
        UNION
        {SELECT_UNANNOUNCED.format(scope=IN_RANGE)}),
    changed AS (
        SELECT o.id, {DAY_OF_ORDER} AS day, o.type, o.status, 1 AS orders, ({WAS_COVERED})::int AS paid_orders,
            {AMOUNTS_OF_ORDER}
        FROM pending JOIN core_order_v1 o ON o.id = pending.id AND {IN_RANGE}
        UNION ALL
        SELECT a.order_id, a.day, a.type, a.status, -1, -a.is_paid::int,
            {list_columns(AMOUNTS, "-a.{0}")}
        FROM pending JOIN analytics_order a ON a.order_id = pending.id AND a.owner_id = $2 AND a.store_id = $1
        WHERE a.day BETWEEN $3 AND $4)
"""
# Sums are of the type numeric and cannot overflow.
SELECT_TOTALS = f"""
    SELECT day, type, status, sum(orders) AS orders, sum(paid_orders) AS paid_orders,
        {list_columns(AMOUNTS, "sum({0}) AS {0}")}
"""
SELECT_COUNTED_SALES = f"""
    {WITH_CHANGED_ORDERS} {SELECT_TOTALS} FROM (
        SELECT d.day, d.type, d.status, d.orders, d.paid_orders, {list_columns(AMOUNTS, "d.{0}")}
        FROM analytics_day d
        WHERE d.store_id = $1 AND d.owner_id = $2 AND d.day BETWEEN $3 AND $4
        UNION ALL
        SELECT day, type, status, orders, paid_orders, {list_columns(AMOUNTS)} FROM changed) AS part
    GROUP BY day, type, status
"""
SELECT_LIVE_SALES = f"""
    {SELECT_TOTALS} FROM (
        SELECT {DAY_OF_ORDER} AS day, o.type, o.status, 1 AS orders, ({WAS_COVERED})::int AS paid_orders,
            {AMOUNTS_OF_ORDER}
        FROM core_order_v1 o WHERE {IN_RANGE} AND $4::date >= $3) AS part
    GROUP BY day, type, status
"""
# An item has its current name; a deleted one, the name under which it was last sold.
SELECT_TOP_ITEMS = """
    SELECT sold.item_id, coalesce(i.name, sold.name) AS name, sold.quantity FROM (
        SELECT item_id, (array_agg(name ORDER BY day DESC))[1] AS name, sum(quantity)::bigint AS quantity
        FROM part GROUP BY item_id HAVING sum(quantity) > 0) AS sold
    LEFT JOIN core_menu_item_v1 i ON i.id = sold.item_id AND i.owner_id = $2
    ORDER BY sold.quantity DESC, 2, sold.item_id LIMIT 10
"""
SELECT_COUNTED_TOP_ITEMS = f"""
    {WITH_CHANGED_ORDERS},
    deltas AS (
        SELECT id, day, sum(orders) AS sign FROM changed WHERE status <> '{Status.CANCELLED}'
        GROUP BY id, day HAVING sum(orders) <> 0),
    part AS (
        SELECT d.day, d.item_id, d.name, d.quantity FROM analytics_item_day d
        WHERE d.store_id = $1 AND d.owner_id = $2 AND d.day BETWEEN $3 AND $4
        UNION ALL
        SELECT deltas.day, l.item_id, l.name, deltas.sign * l.quantity
        FROM deltas JOIN core_order_line_v1 l ON l.order_id = deltas.id AND l.owner_id = $2
        UNION ALL
        SELECT a.day, c.item_id, c.name, c.quantity
        FROM pending JOIN analytics_order a ON a.order_id = pending.id AND a.owner_id = $2 AND a.store_id = $1
            {JOIN_AMENDMENTS.format("pending.id", "a")}
        WHERE a.day BETWEEN $3 AND $4 AND a.status <> '{Status.CANCELLED}')
    {SELECT_TOP_ITEMS}
"""
SELECT_LIVE_TOP_ITEMS = f"""
    WITH part AS (
        SELECT o.created_at AS day, l.item_id, l.name, l.quantity
        FROM core_order_v1 o JOIN core_order_line_v1 l ON l.order_id = o.id AND l.owner_id = o.owner_id
        WHERE {IN_RANGE} AND o.status <> '{Status.CANCELLED}' AND $4::date >= $3)
    {SELECT_TOP_ITEMS}
"""


@dataclass(frozen=True, slots=True)
class SalesTotal:
    """The totals of the orders of one day, type and status.

    ``kept_minor`` is what was paid less what was refunded, ``charges_minor`` the charges besides the service charge and
    the delivery fee.
    """

    day: date
    type: str
    status: str
    orders: int
    paid_orders: int
    total_minor: int
    kept_minor: int
    service_charge_minor: int
    delivery_fee_minor: int
    charges_minor: int


@dataclass(frozen=True, slots=True)
class SalesReader:
    """Reads the sales of a store, from daily totals if ``is_complete``, else from its orders."""

    store_id: int
    owner_id: int
    zone: ZoneInfo
    is_complete: bool

    async def list_totals(self, period: ReportPeriod) -> list[SalesTotal]:
        """List the totals of the orders placed in a period, by day, type and status."""
        rows = await self._fetch(SELECT_COUNTED_SALES, SELECT_LIVE_SALES, period)
        return [_to_sales_total(row) for row in rows if row["orders"]]

    async def list_top_items(self, period: ReportPeriod) -> list[sql.Row]:
        """List the ten best-selling items with id, name and quantity, without cancelled orders."""
        return await self._fetch(SELECT_COUNTED_TOP_ITEMS, SELECT_LIVE_TOP_ITEMS, period)

    async def _fetch(self, counted: str, live: str, period: ReportPeriod) -> list[sql.Row]:
        *starts, end = period.list_boundaries(self.zone)
        arguments = (self.store_id, self.owner_id, period.first, period.last, starts, end)
        return await (sql.fetch(counted, *arguments, EVENT_NAMES) if self.is_complete else sql.fetch(live, *arguments))


def _to_sales_total(row: sql.Row) -> SalesTotal:
    sums = {name: int(row[name]) for name in ("orders", "paid_orders", *AMOUNTS)}
    return SalesTotal(day=row["day"], type=row["type"], status=row["status"], **sums)
