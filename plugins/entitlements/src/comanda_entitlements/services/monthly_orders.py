"""Orders by calendar month in UTC, counted for owners with a quota of them."""

from datetime import date, datetime
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

INCREMENT_ORDERS: Final = """
    UPDATE entitlements_monthly_orders SET orders = orders + 1
    WHERE owner_id = $1 AND month = $2 AND orders < $3
    RETURNING orders
"""
SELECT_ORDERS: Final = "SELECT orders FROM entitlements_monthly_orders WHERE owner_id = $1 AND month = $2"
INSERT_ORDERS: Final = """
    INSERT INTO entitlements_monthly_orders (owner_id, month, orders) VALUES ($1, $2, $3)
    ON CONFLICT (owner_id, month) DO NOTHING
"""
DELETE_ORDERS: Final = "DELETE FROM entitlements_monthly_orders WHERE owner_id = $1"
# The day of business narrows the index to the month's orders. In no zone it begins two days after the one in UTC.
COUNT_ORDERS: Final = """
    SELECT count(*) FROM core_store_v1 s
    JOIN core_order_v1 o ON o.store_id = s.id AND o.owner_id = s.owner_id
    WHERE s.owner_id = $1 AND o.business_date >= $2::date - 2 AND o.created_at >= $2 AND o.id <> $3
"""


async def count_order(owner_id: int, order_id: int, limit: int) -> int | None:
    """Count a new order in the open transaction; return None instead if the month has ``limit`` orders already.

    The row stays locked until the transaction ends, so that concurrent orders never exceed the limit.
    """
    moment = clock.now()
    month = _get_month(moment)
    used = await sql.fetch_value(INCREMENT_ORDERS, owner_id, month, limit)
    if used is None:
        if await sql.fetch_value(SELECT_ORDERS, owner_id, month) is None:
            await sql.execute(INSERT_ORDERS, owner_id, month, await _count_stored(owner_id, moment, order_id))
        # Also if the row was there: a concurrent order may have inserted it since the first attempt.
        used = await sql.fetch_value(INCREMENT_ORDERS, owner_id, month, limit)
    return None if used is None else int(used)


async def count_orders(owner_id: int) -> int:
    """Return the number of orders that an owner's stores have taken this month."""
    moment = clock.now()
    counted = await sql.fetch_value(SELECT_ORDERS, owner_id, _get_month(moment))
    return int(counted) if counted is not None else await _count_stored(owner_id, moment)


async def get_counted(owner_id: int) -> int:
    """Return the number of orders of this month that were counted."""
    return int(await sql.fetch_value(SELECT_ORDERS, owner_id, _get_month(clock.now())) or 0)


async def delete_counts(owner_id: int) -> None:
    """Delete the counts of an owner, whose next order starts with those that are stored."""
    await sql.execute(DELETE_ORDERS, owner_id)


async def _count_stored(owner_id: int, moment: datetime, without_id: int = 0) -> int:
    start = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return int(await sql.fetch_value(COUNT_ORDERS, owner_id, start, without_id))


def _get_month(moment: datetime) -> date:
    return moment.date().replace(day=1)
