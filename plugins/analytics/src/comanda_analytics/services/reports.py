"""Sales reports of a store."""

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

from comanda_analytics.services import daily_totals
from comanda_analytics.services.periods import ReportPeriod, resolve_period
from comanda_analytics.services.sales import SalesReader, SalesTotal

SELECT_STORE = """
    SELECT s.currency, s.timezone, s.store_type,
        coalesce(a.is_complete AND a.timezone = s.timezone, false) AS is_complete
    FROM core_store s LEFT JOIN analytics_store a ON a.store_id = s.id AND a.owner_id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $2
"""


async def create_report(
    caller: Caller,
    store_id: int,
    first: date | None = None,
    last: date | None = None,
    *,
    by_day: bool = False,
    compare: bool = False,
) -> dict[str, Any]:
    """Create a report on the days from ``first`` to ``last``; by default today and the 29 days before.

    Raises ``NotFound`` for a store that is not the caller's; ``ValidationFailed`` like ``resolve_period``.
    """
    store = await _get_store(caller, store_id)
    zone = ZoneInfo(store["timezone"])
    period = resolve_period(first, last, clock.now().astimezone(zone).date())
    if not store["is_complete"]:
        daily_totals.request_backfill()
    reader = SalesReader(store_id, caller.owner_id, zone, store["is_complete"])
    totals = await reader.list_totals(period)
    record = _to_sums(store, period, totals)
    record["top_items"] = [dict(row) for row in await reader.list_top_items(period)]
    if by_day:
        record["by_day"] = _to_days(store, period, totals)
    if compare:
        record["compare"] = _to_sums(store, period.previous, await reader.list_totals(period.previous))
    return record


async def get_currency(caller: Caller, store_id: int) -> str:
    """Return a store's currency. Raises ``NotFound``."""
    return str((await _get_store(caller, store_id))["currency"])


async def _get_store(caller: Caller, store_id: int) -> sql.Row:
    store = await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if store is None:
        raise NotFound
    return store


def _to_sums(store: sql.Row, period: ReportPeriod, totals: Sequence[SalesTotal]) -> dict[str, Any]:
    vertical = find_vertical(store["store_type"])
    by_status = {status.value: 0 for status in Status}
    by_type = dict.fromkeys(vertical.fulfillment_modes if vertical else (), 0)
    for each in totals:
        by_status[each.status] += each.orders
        by_type[each.type] = by_type.get(each.type, 0) + each.orders
    total, gross_minor = sum(by_status.values()), _sum_gross_minor(totals)
    not_cancelled = total - by_status[Status.CANCELLED]
    average_minor = money.round_half_up(gross_minor, not_cancelled) if not_cancelled else 0
    amounts = {"gross": gross_minor, "paid": _sum_kept_minor(totals), "avg_order_value": average_minor}
    return {
        "range": {"from": period.first, "to": period.last},
        "orders": {
            "total": total,
            "paid": sum(each.paid_orders for each in totals),
            "by_status": by_status,
            "by_type": by_type,
        },
        "revenue": {name: money.to_number(amount, store["currency"]) for name, amount in amounts.items()},
    }


def _to_days(store: sql.Row, period: ReportPeriod, totals: Sequence[SalesTotal]) -> list[dict[str, Any]]:
    by_day: dict[date, list[SalesTotal]] = {day: [] for day in period.list_dates()}
    for each in totals:
        by_day[each.day].append(each)
    return [
        {
            "date": day,
            "orders": sum(each.orders for each in of_day),
            "paid_orders": sum(each.paid_orders for each in of_day),
            "gross": money.to_number(_sum_gross_minor(of_day), store["currency"]),
            "paid": money.to_number(_sum_kept_minor(of_day), store["currency"]),
        }
        for day, of_day in by_day.items()
    ]


def _sum_gross_minor(totals: Sequence[SalesTotal]) -> int:
    return sum(each.total_minor for each in totals if each.status != Status.CANCELLED)


def _sum_kept_minor(totals: Sequence[SalesTotal]) -> int:
    return sum(each.kept_minor for each in totals)
