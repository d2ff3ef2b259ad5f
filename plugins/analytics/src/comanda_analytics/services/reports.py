"""Sales reports of a store."""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from comanda.basics import Money, NotFound, clock, extend_record, money
from comanda.contracts import Caller, Status
from comanda.platform.db import read_from_replica, sql
from comanda.stores import find_vertical

from comanda_analytics.records import Charges, DaySales, PeriodSales, PlacedOrders, Revenue, SalesReport, TopItem
from comanda_analytics.services import daily_totals
from comanda_analytics.services.periods import ReportPeriod, resolve_period
from comanda_analytics.services.sales import SalesReader, SalesTotal

SELECT_STORE = """
    SELECT s.currency, s.timezone, s.store_type,
        coalesce(a.is_complete AND a.timezone = s.timezone, false) AS is_complete
    FROM core_store_v1 s LEFT JOIN analytics_store a ON a.store_id = s.id AND a.owner_id = s.owner_id
    WHERE s.id = $1 AND s.owner_id = $2
"""


@read_from_replica
async def create_report(
    caller: Caller,
    store_id: int,
    first: date | None = None,
    last: date | None = None,
    *,
    by_day: bool = False,
    compare: bool = False,
) -> SalesReport:
    """Create a report on the days from ``first`` to ``last``; by default today and the 29 days before.

    Raises ``NotFound`` for a store that is not the caller's; ``ValidationFailed`` like ``resolve_period``.
    """
    store, reader = await _open(caller, store_id)
    period = resolve_period(first, last, clock.now().astimezone(reader.zone).date())
    totals = await reader.list_totals(period)
    previous = period.previous
    return extend_record(
        SalesReport,
        _to_period_sales(store, period, totals),
        store_id=store_id,
        currency=store["currency"],
        top_items=[sql.to_record(TopItem, row) for row in await reader.list_top_items(period)],
        by_day=_to_days(store, period, totals) if by_day else None,
        compare=_to_period_sales(store, previous, await reader.list_totals(previous)) if compare else None,
    )


@read_from_replica
async def compare_days(caller: Caller, store_id: int, *days: date) -> list[PeriodSales]:
    """Return the sales of each of some days, not far apart. Raises ``NotFound`` like ``create_report``."""
    store, reader = await _open(caller, store_id)
    totals = await reader.list_totals(ReportPeriod(min(days), max(days)))
    return [
        _to_period_sales(store, ReportPeriod(day, day), [each for each in totals if each.day == day]) for day in days
    ]


async def _open(caller: Caller, store_id: int) -> tuple[sql.Row, SalesReader]:
    store = await _get_store(caller, store_id)
    if not store["is_complete"]:
        daily_totals.request_backfill()
    return store, SalesReader(store_id, caller.owner_id, ZoneInfo(store["timezone"]), store["is_complete"])


async def _get_store(caller: Caller, store_id: int) -> sql.Row:
    store = await sql.fetch_one(SELECT_STORE, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if store is None:
        raise NotFound
    return store


def _to_period_sales(store: sql.Row, period: ReportPeriod, totals: Sequence[SalesTotal]) -> PeriodSales:
    vertical = find_vertical(store["store_type"])
    by_status = {status.value: 0 for status in Status}
    by_type = dict.fromkeys(vertical.fulfillment_modes if vertical else (), 0)
    for each in totals:
        by_status[each.status] += each.orders
        by_type[each.type] = by_type.get(each.type, 0) + each.orders
    total, gross_minor = sum(by_status.values()), _sum_gross_minor(totals)
    not_cancelled = total - by_status[Status.CANCELLED]
    average_minor = money.round_half_up(gross_minor, not_cancelled) if not_cancelled else 0
    amounts = (gross_minor, _sum_kept_minor(totals), average_minor)
    return PeriodSales(
        range=period,
        orders=PlacedOrders(total, sum(each.paid_orders for each in totals), by_status, by_type),
        revenue=Revenue(*(Money(amount, store["currency"]) for amount in amounts)),
        charges=_sum_charges(store, totals),
    )


def _to_days(store: sql.Row, period: ReportPeriod, totals: Sequence[SalesTotal]) -> list[DaySales]:
    by_day: dict[date, list[SalesTotal]] = {day: [] for day in period.list_dates()}
    for each in totals:
        by_day[each.day].append(each)
    return [
        DaySales(
            date=day,
            orders=sum(each.orders for each in of_day),
            paid_orders=sum(each.paid_orders for each in of_day),
            gross=Money(_sum_gross_minor(of_day), store["currency"]),
            paid=Money(_sum_kept_minor(of_day), store["currency"]),
            charges=_sum_charges(store, of_day),
        )
        for day, of_day in by_day.items()
    ]


def _sum_gross_minor(totals: Sequence[SalesTotal]) -> int:
    return sum(each.total_minor for each in _exclude_cancelled(totals))


def _sum_charges(store: sql.Row, totals: Sequence[SalesTotal]) -> Charges:
    not_cancelled = _exclude_cancelled(totals)
    amounts = (
        sum(each.service_charge_minor for each in not_cancelled),
        sum(each.delivery_fee_minor for each in not_cancelled),
        sum(each.charges_minor for each in not_cancelled),
    )
    return Charges(*(Money(amount, store["currency"]) for amount in amounts))


def _exclude_cancelled(totals: Sequence[SalesTotal]) -> list[SalesTotal]:
    return [each for each in totals if each.status != Status.CANCELLED]


def _sum_kept_minor(totals: Sequence[SalesTotal]) -> int:
    return sum(each.kept_minor for each in totals)
