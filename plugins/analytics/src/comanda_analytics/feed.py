"""Keeps the days in step with orders, from the events that orders send.

No event's payload is added up. What an order counts for is worked out from the order as it is, what it counted for
until now is taken off again, and both happen in one statement while the store is locked. So an event may come twice,
late or before another, and an order may be counted again at any time.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.contracts.events import StoredEvent
from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.orders.balance import IS_PAID, KEPT
from comanda.orders.events import OrderCreated, OrderStatusChanged
from comanda.tasks import notifier

CHANNEL: Final = "analytics"

CORE_EVENTS: Final = (OrderCreated, OrderStatusChanged)
# Of the plugin payments, which need not be installed.
PAYMENT_EVENTS: Final = ("order.paid", "refund.completed")
EVENTS: Final = (*(event.name for event in CORE_EVENTS), *PAYMENT_EVENTS)

# The orders ``o`` whose payments may have changed without an event: those that are not covered yet, and those that got
# money after they were. Of all others ``order.paid`` and ``refund.completed`` tell every change.
UNANNOUNCED: Final = "o.paid_minor > 0 AND (o.paid_at IS NULL OR o.paid_minor > o.total_minor)"

READ = """
    SELECT o.id, o.owner_id, o.store_id, o.created_at, s.timezone
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
"""
# Whoever writes what a store's orders count for holds its row, always in one order of rows. In another time zone all
# orders lie on other days, so the store is counted anew.
HOLD = """
    INSERT INTO analytics_store AS known (store_id, owner_id, timezone)
    SELECT store_id, owner_id, timezone FROM unnest($1::bigint[], $2::bigint[], $3::text[])
        AS asked (store_id, owner_id, timezone)
    ORDER BY store_id, owner_id
    ON CONFLICT (store_id, owner_id) DO UPDATE SET
        timezone = EXCLUDED.timezone,
        is_complete = known.is_complete AND known.timezone = EXCLUDED.timezone,
        counted_to = CASE WHEN known.timezone = EXCLUDED.timezone THEN known.counted_to ELSE 0 END
    RETURNING store_id, counted_to, is_complete
"""
# Reads the orders after the stores are held: whoever writes last has read last.
WRITE = f"""
    WITH now AS MATERIALIZED (
        SELECT o.id, o.owner_id, o.store_id, asked.day, o.type, o.status, {IS_PAID} AS is_paid, o.total_minor,
            {KEPT} AS kept_minor
        FROM unnest($1::bigint[], $2::bigint[], $3::date[]) AS asked (id, owner_id, day)
        JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id),
    before AS MATERIALIZED (
        SELECT a.order_id AS id, a.owner_id, a.store_id, a.day, a.type, a.status, a.is_paid, a.total_minor, a.kept_minor
        FROM now JOIN analytics_order a ON a.order_id = now.id AND a.owner_id = now.owner_id),
    written AS (
        INSERT INTO analytics_order AS a
            (order_id, owner_id, store_id, day, type, status, is_paid, total_minor, kept_minor)
        SELECT id, owner_id, store_id, day, type, status, is_paid, total_minor, kept_minor FROM now
        ON CONFLICT (order_id, owner_id) DO UPDATE SET
            day = EXCLUDED.day, type = EXCLUDED.type, status = EXCLUDED.status, is_paid = EXCLUDED.is_paid,
            total_minor = EXCLUDED.total_minor, kept_minor = EXCLUDED.kept_minor
        WHERE (a.day, a.type, a.status, a.is_paid, a.total_minor, a.kept_minor) IS DISTINCT FROM (EXCLUDED.day,
            EXCLUDED.type, EXCLUDED.status, EXCLUDED.is_paid, EXCLUDED.total_minor, EXCLUDED.kept_minor)),
    moved AS (
        SELECT id, owner_id, store_id, day, type, status, is_paid, total_minor, kept_minor, 1 AS sign FROM now
        UNION ALL
        SELECT id, owner_id, store_id, day, type, status, is_paid, total_minor, kept_minor, -1 FROM before),
    days AS (
        INSERT INTO analytics_day AS d
            (store_id, owner_id, day, type, status, orders, paid_orders, total_minor, kept_minor)
        SELECT store_id, owner_id, day, type, status, sum(sign), sum(sign * is_paid::int), sum(sign * total_minor),
            sum(sign * kept_minor)
        FROM moved GROUP BY store_id, owner_id, day, type, status
        HAVING sum(sign) <> 0 OR sum(sign * is_paid::int) <> 0 OR sum(sign * total_minor) <> 0
            OR sum(sign * kept_minor) <> 0
        ON CONFLICT (store_id, owner_id, day, type, status) DO UPDATE SET
            orders = d.orders + EXCLUDED.orders, paid_orders = d.paid_orders + EXCLUDED.paid_orders,
            total_minor = d.total_minor + EXCLUDED.total_minor, kept_minor = d.kept_minor + EXCLUDED.kept_minor),
    turned AS (
        SELECT id, owner_id, store_id, day, sum(sign) AS sign FROM moved WHERE status <> '{Status.CANCELLED}'
        GROUP BY id, owner_id, store_id, day HAVING sum(sign) <> 0)
    INSERT INTO analytics_item_day AS i (store_id, owner_id, day, item_id, name, quantity)
    SELECT turned.store_id, turned.owner_id, turned.day, l.item_id, (array_agg(l.name ORDER BY l.id DESC))[1],
        sum(turned.sign * l.quantity)
    FROM turned JOIN core_order_line l ON l.order_id = turned.id AND l.owner_id = turned.owner_id
    GROUP BY turned.store_id, turned.owner_id, turned.day, l.item_id
    ON CONFLICT (store_id, owner_id, day, item_id) DO UPDATE SET
        name = CASE WHEN EXCLUDED.quantity > 0 THEN EXCLUDED.name ELSE i.name END,
        quantity = i.quantity + EXCLUDED.quantity
"""


async def follow(events: Sequence[StoredEvent]) -> None:
    """Count the orders of these events as they are now."""
    orders = {(int(str(event.data["order_id"])), event.owner_id) for event in events}
    rows = await sql.fetch(READ, [order for order, _ in orders], [owner for _, owner in orders])
    if not rows:
        return
    async with sql.transaction():
        held = await hold({(row["store_id"], row["owner_id"]): row["timezone"] for row in rows})
        await count(rows)
        if not all(state["is_complete"] for state in held):
            sql.after_commit(ring)


async def hold(zones: dict[tuple[int, int], str]) -> list[sql.Row]:
    """Lock stores, given as ``(store, owner)`` with their time zones, until the open transaction ends."""
    stores = [[store for store, _ in zones], [owner for _, owner in zones], list(zones.values())]
    return await sql.fetch(HOLD, *stores)


async def count(orders: Sequence[sql.Row]) -> None:
    """Count orders anew, in the open transaction in which their stores are held with these time zones."""
    days = [_day(order) for order in orders]
    await sql.execute(WRITE, [order["id"] for order in orders], [order["owner_id"] for order in orders], days)


def ring() -> None:
    """Wake whoever counts the orders that no event told of."""
    notifier.notify(CHANNEL)


def _day(order: Any) -> date:
    # By the time zones that Python knows: the database may have others, and a store is checked against these.
    day: date = order["created_at"].astimezone(ZoneInfo(order["timezone"])).date()
    return day
