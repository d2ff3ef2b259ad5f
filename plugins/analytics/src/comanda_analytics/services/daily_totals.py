"""Daily totals of orders, updated by recounting single orders.

Event payloads are never added up. An order is counted as it is now, and what it counted for until now is subtracted, in
one statement while the store is locked. So events may be repeated, late or out of order, and an order may be recounted
at any time.
"""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.contracts import Status
from comanda.orders import (
    HAS_LATE_CHARGES,
    WAS_COVERED,
    OrderAmended,
    OrderChargeAdded,
    OrderCreated,
    OrderStatusChanged,
)
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_analytics.services.amounts import AMOUNTS, AMOUNTS_OF_ORDER, list_columns

BACKFILL_TASK: Final = "analytics_fill"
HANDLER_NAME: Final = "analytics_days"
# Whether an event of core's view of pending events, ``e``, has yet to be counted.
IS_PENDING: Final = f"(e.handler IS NULL OR e.handler = '{HANDLER_NAME}')"

CORE_EVENTS: Final = (OrderCreated, OrderAmended, OrderStatusChanged, OrderChargeAdded)
# Of the payments plugin, which may not be installed.
PAYMENT_EVENTS: Final = ("order.paid", "refund.completed")
EVENT_NAMES: Final = (*(event.name for event in CORE_EVENTS), *PAYMENT_EVENTS)

# What of an order may change, as columns of ``analytics_order``.
_COUNTED: Final = ("day", "type", "status", "is_paid", "amendments", *AMOUNTS)

# The ids of the orders ``o`` whose payments may have changed without an event: partly paid orders, orders that were
# paid more than their total, and those with charges that were added after they were paid. Every other change of
# payments sends ``order.paid`` or ``refund.completed``. Each condition has its partial index.
SELECT_UNANNOUNCED: Final = f"""
    SELECT o.id FROM core_order_v1 o
    WHERE {{scope}} AND o.paid_minor > 0 AND (o.paid_at IS NULL OR o.paid_minor > o.total_minor)
    UNION
    SELECT o.id FROM core_order_v1 o WHERE {{scope}} AND {HAS_LATE_CHARGES.replace("{", "{{").replace("}", "}}")}
"""

SELECT_ORDERS = """
    SELECT o.id, o.owner_id, o.store_id, o.created_at, s.timezone
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN core_order_v1 o ON o.id = requested.id AND o.owner_id = requested.owner_id
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
"""
# Totals of a store are only written while its row is locked; rows are locked in a fixed order. If the time zone has
# changed, orders belong to different days, so the store is recounted.
LOCK_STORES = """
    INSERT INTO analytics_store AS known (store_id, owner_id, timezone)
    SELECT store_id, owner_id, timezone FROM unnest($1::bigint[], $2::bigint[], $3::text[])
        AS requested (store_id, owner_id, timezone)
    ORDER BY store_id, owner_id
    ON CONFLICT (store_id, owner_id) DO UPDATE SET
        timezone = EXCLUDED.timezone,
        is_complete = known.is_complete AND known.timezone = EXCLUDED.timezone,
        counted_to = CASE WHEN known.timezone = EXCLUDED.timezone THEN known.counted_to ELSE 0 END
    RETURNING store_id, counted_to, is_complete
"""
# The lines of an order were others when it was counted. What amendments have changed since then is added, as the lines
# of now are taken off in place of those of then.
AMENDED_LINE = "c.item_id, c.line_id, c.name, c.quantity"
JOIN_AMENDMENTS = """
    JOIN core_order_amendment_v1 m ON m.order_id = {0} AND m.owner_id = {1}.owner_id AND m.number > {1}.amendments
    CROSS JOIN jsonb_to_recordset(m.changes) AS c (item_id bigint, line_id bigint, name text, quantity int)"""
# Reads the orders after the stores are locked, so that the last writer has the latest orders.
UPDATE_TOTALS = f"""
    WITH now AS MATERIALIZED (
        SELECT o.id, o.owner_id, o.store_id, requested.day, o.type, o.status, {WAS_COVERED} AS is_paid, o.amendments,
            {AMOUNTS_OF_ORDER}
        FROM unnest($1::bigint[], $2::bigint[], $3::date[]) AS requested (id, owner_id, day)
        JOIN core_order_v1 o ON o.id = requested.id AND o.owner_id = requested.owner_id),
    before AS MATERIALIZED (
        SELECT a.order_id AS id, a.owner_id, a.store_id, {list_columns(_COUNTED, "a.{0}")}
        FROM now JOIN analytics_order a ON a.order_id = now.id AND a.owner_id = now.owner_id),
    written AS (
        INSERT INTO analytics_order AS a (order_id, owner_id, store_id, {list_columns(_COUNTED)})
        SELECT id, owner_id, store_id, {list_columns(_COUNTED)} FROM now
        ON CONFLICT (order_id, owner_id) DO UPDATE SET
            {list_columns(_COUNTED, "{0} = EXCLUDED.{0}")}
        WHERE ({list_columns(_COUNTED, "a.{0}")})
            IS DISTINCT FROM ({list_columns(_COUNTED, "EXCLUDED.{0}")})),
    changes AS (
        SELECT id, owner_id, store_id, {list_columns(_COUNTED)}, 1 AS sign FROM now
        UNION ALL
        SELECT id, owner_id, store_id, {list_columns(_COUNTED)}, -1 FROM before),
    days AS (
        INSERT INTO analytics_day AS d
            (store_id, owner_id, day, type, status, orders, paid_orders, {list_columns(AMOUNTS)})
        SELECT store_id, owner_id, day, type, status, sum(sign), sum(sign * is_paid::int),
            {list_columns(AMOUNTS, "sum(sign * {0})")}
        FROM changes GROUP BY store_id, owner_id, day, type, status
        HAVING sum(sign) <> 0 OR sum(sign * is_paid::int) <> 0 OR ({list_columns(AMOUNTS, "sum(sign * {0})")})
            <> ({list_columns(AMOUNTS, "0")})
        ON CONFLICT (store_id, owner_id, day, type, status) DO UPDATE SET
            orders = d.orders + EXCLUDED.orders, paid_orders = d.paid_orders + EXCLUDED.paid_orders,
            {list_columns(AMOUNTS, "{0} = d.{0} + EXCLUDED.{0}")}),
    deltas AS (
        SELECT id, owner_id, store_id, day, sum(sign) AS sign FROM changes WHERE status <> '{Status.CANCELLED}'
        GROUP BY id, owner_id, store_id, day HAVING sum(sign) <> 0)
    INSERT INTO analytics_item_day AS i (store_id, owner_id, day, item_id, name, quantity)
    SELECT store_id, owner_id, day, item_id, (array_agg(name ORDER BY line_id DESC))[1], sum(quantity) FROM (
        SELECT deltas.store_id, deltas.owner_id, deltas.day, l.item_id, l.id AS line_id, l.name,
            deltas.sign * l.quantity AS quantity
        FROM deltas JOIN core_order_line_v1 l ON l.order_id = deltas.id AND l.owner_id = deltas.owner_id
        UNION ALL
        SELECT before.store_id, before.owner_id, before.day, {AMENDED_LINE}
        FROM before {JOIN_AMENDMENTS.format("before.id", "before")} WHERE before.status <> '{Status.CANCELLED}') AS part
    GROUP BY store_id, owner_id, day, item_id
    ON CONFLICT (store_id, owner_id, day, item_id) DO UPDATE SET
        name = CASE WHEN EXCLUDED.quantity > 0 THEN EXCLUDED.name ELSE i.name END,
        quantity = i.quantity + EXCLUDED.quantity
"""


async def recount_orders(orders: Collection[tuple[int, int]]) -> None:
    """Recount orders, given as ``(order_id, owner_id)``."""
    rows = await sql.fetch(SELECT_ORDERS, [order_id for order_id, _ in orders], [owner_id for _, owner_id in orders])
    if not rows:
        return
    async with sql.transaction():
        stores = await lock_stores({(row["store_id"], row["owner_id"]): row["timezone"] for row in rows})
        await update_totals(rows)
        if not all(state["is_complete"] for state in stores):
            sql.after_commit(request_backfill)


async def lock_stores(zones: dict[tuple[int, int], str]) -> list[sql.Row]:
    """Lock stores, given as ``(store_id, owner_id)`` with their time zones, until the open transaction ends."""
    stores = [[store for store, _ in zones], [owner for _, owner in zones], list(zones.values())]
    return await sql.fetch(LOCK_STORES, *stores)


async def update_totals(orders: Sequence[sql.Row]) -> None:
    """Update the totals for orders, in the open transaction that has locked their stores with these time zones."""
    days = [_get_day(order) for order in orders]
    await sql.execute(UPDATE_TOTALS, [order["id"] for order in orders], [order["owner_id"] for order in orders], days)


def request_backfill() -> None:
    """Start the backfill, unless it runs."""
    notifier.notify(BACKFILL_TASK)


def _get_day(order: Any) -> date:
    # With Python's time zones, which stores are validated against; the database's may differ.
    day: date = order["created_at"].astimezone(ZoneInfo(order["timezone"])).date()
    return day
