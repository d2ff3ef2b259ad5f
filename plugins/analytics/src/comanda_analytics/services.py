"""What a store sold."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.order_status import Status
from comanda.db import sql
from comanda.errors import NotFound
from comanda.stores.records import find_vertical

from comanda_analytics import feed
from comanda_analytics.periods import Period, period
from comanda_analytics.reading import Reader, Sales

STORE = """
    SELECT s.currency, s.timezone, s.store_type,
        coalesce(a.is_complete AND a.timezone = s.timezone, false) AS are_counted
    FROM core_store s LEFT JOIN analytics_store a ON a.store_id = s.id AND a.owner_id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $2
"""


async def report(
    caller: Caller,
    store_id: int,
    first: date | None = None,
    last: date | None = None,
    *,
    by_day: bool = False,
    compare: bool = False,
) -> dict[str, Any]:
    """Report what was ordered on the days from ``first`` to ``last``; by default today and the 29 days before.

    Raises ``NotFound`` for a store that is not the caller's, ``ValidationFailed`` as ``period`` does.
    """
    store = await _own_store(caller, store_id)
    zone = ZoneInfo(store["timezone"])
    asked = period(first, last, clock.now().astimezone(zone).date())
    if not store["are_counted"]:
        feed.ring()
    reader = Reader(store_id, caller.owner_id, zone, store["are_counted"])
    sales = await reader.sales(asked)
    record = _sums(store, asked, sales)
    record["top_items"] = [dict(row) for row in await reader.top_items(asked)]
    if by_day:
        record["by_day"] = _days(store, asked, sales)
    if compare:
        record["compare"] = _sums(store, asked.before, await reader.sales(asked.before))
    return record


async def currency_of(caller: Caller, store_id: int) -> str:
    """Tell a store's currency. Raises ``NotFound``."""
    return str((await _own_store(caller, store_id))["currency"])


async def _own_store(caller: Caller, store_id: int) -> sql.Row:
    store = await sql.fetch_one(STORE, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if store is None:
        raise NotFound
    return store


def _sums(store: sql.Row, asked: Period, sales: Sequence[Sales]) -> dict[str, Any]:
    vertical = find_vertical(store["store_type"])
    by_status = {status.value: 0 for status in Status}
    by_type = dict.fromkeys(vertical.fulfillment_modes if vertical else (), 0)
    for part in sales:
        by_status[part.status] += part.orders
        by_type[part.type] = by_type.get(part.type, 0) + part.orders
    total, gross_minor = sum(by_status.values()), _gross(sales)
    standing = total - by_status[Status.CANCELLED]
    average_minor = money.round_half_up(gross_minor, standing) if standing else 0
    amounts = {"gross": gross_minor, "paid": _kept(sales), "avg_order_value": average_minor}
    return {
        "range": {"from": asked.first, "to": asked.last},
        "orders": {
            "total": total,
            "paid": sum(part.paid_orders for part in sales),
            "by_status": by_status,
            "by_type": by_type,
        },
        "revenue": {name: money.to_number(amount, store["currency"]) for name, amount in amounts.items()},
    }


def _days(store: sql.Row, asked: Period, sales: Sequence[Sales]) -> list[dict[str, Any]]:
    parts: dict[date, list[Sales]] = {day: [] for day in asked.dates()}
    for part in sales:
        parts[part.day].append(part)
    return [
        {
            "date": day,
            "orders": sum(part.orders for part in of_day),
            "paid_orders": sum(part.paid_orders for part in of_day),
            "gross": money.to_number(_gross(of_day), store["currency"]),
            "paid": money.to_number(_kept(of_day), store["currency"]),
        }
        for day, of_day in parts.items()
    ]


def _gross(sales: Sequence[Sales]) -> int:
    return sum(part.total_minor for part in sales if part.status != Status.CANCELLED)


def _kept(sales: Sequence[Sales]) -> int:
    return sum(part.kept_minor for part in sales)
