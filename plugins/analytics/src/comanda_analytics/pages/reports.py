"""Reports in the dashboard: a period's sales by day, type, status and item, beside the period before."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from comanda.basics import BYTE_ORDER_MARK, NotFound, ValidationFailed, clock, to_cell
from comanda.contracts import NavigationEntry
from comanda.platform import runtime
from comanda.web import N_, PRIVATE_HEADERS, format_day, format_money, format_number
from comanda.web import gettext as _
from comanda.web.dashboard import Series, Visit, bar_chart, get_sentence, line_chart
from quart import Response

from comanda_analytics.pages.panels import dashboard

REPORT: Final = "/restaurants/{id}/analytics"
DEFAULT_PERIOD: Final = "30"
PERIODS: Final = {"1": N_("Today"), "7": N_("7 days"), "30": N_("30 days"), "90": N_("90 days"), "365": N_("365 days")}
STATUSES: Final = {
    "new": N_("New"),
    "preparing": N_("Preparing"),
    "ready": N_("Ready"),
    "delivered": N_("Handed over"),
    "completed": N_("Completed"),
    "cancelled": N_("Cancelled"),
}
CHARGES: Final = {
    "service_charge": N_("Service charges"),
    "delivery_fee": N_("Delivery fees"),
    "other": N_("Other charges"),
}
NAVIGATION: Final = (
    NavigationEntry(
        N_("Reports"), "/stores/{store_id}/reports", "reports", "analytics:read", icon="chart", position=10
    ),
)


@dashboard.get("/stores/<int:store_id>/reports", scope="analytics:read")
async def show_report(visit: Visit, store_id: int) -> Response:
    """Show the sales of a period beside those of the period before."""
    chosen = visit.query("period", "from", "to")
    problem = None
    try:
        report = await _get_report(visit, store_id, chosen)
    except ValidationFailed as error:
        problem, report = get_sentence(error), await _get_report(visit, store_id, {})
    days = [(format_day(day["date"], year=False), day) for day in report["by_day"]]
    return await visit.render(
        "analytics/dashboard/reports.html",
        status=422 if problem else 200,
        report=report,
        problem=problem,
        changes=_list_changes(report),
        tabs=_list_tabs(store_id, chosen),
        sales_chart=_draw_sales(visit, days) if len(days) > 1 else None,
        orders_chart=_draw_orders(days) if len(days) > 1 else None,
        types=_list_types(report["orders"]["by_type"]),
        statuses=[(_(label), report["orders"]["by_status"].get(code, 0)) for code, label in STATUSES.items()],
        charges=[(_(label), report["charges"][name]) for name, label in CHARGES.items()],
    )


@dashboard.get("/stores/<int:store_id>/reports/<string:table>.csv", scope="analytics:read")
async def download_report(visit: Visit, store_id: int, table: str) -> Response:
    """Send the days of a period, or its best-selling items, as a table for spreadsheets."""
    if table not in TABLES:
        raise NotFound
    report = await _get_report(visit, store_id, visit.query("period", "from", "to"))
    rows = TABLES[table](report)
    text = io.StringIO()
    csv.writer(text).writerows([to_cell(value) for value in row] for row in rows)
    name = f"{table}-{report['range']['from']}-{report['range']['to']}.csv"
    headers = {
        **PRIVATE_HEADERS,
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(f"{BYTE_ORDER_MARK}{text.getvalue()}", headers=headers)


async def _get_report(visit: Visit, store_id: int, chosen: Mapping[str, str]) -> dict[str, Any]:
    query = {"by_day": "true", "compare": "true", **_get_days(chosen, clock.now().astimezone(visit.zone).date())}
    report: dict[str, Any] = await visit.api.get(REPORT, id=store_id, query=query)
    return report


def _get_days(chosen: Mapping[str, str], today: date) -> dict[str, str]:
    """Return the first and the last day that were chosen: dates, or a number of days up to today."""
    if "from" in chosen or "to" in chosen:
        return {name: chosen[name] for name in ("from", "to") if name in chosen}
    period = chosen.get("period", DEFAULT_PERIOD)
    count = int(period if period in PERIODS else DEFAULT_PERIOD)
    return {"from": (today - timedelta(days=count - 1)).isoformat(), "to": today.isoformat()}


def _list_tabs(store_id: int, chosen: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    is_free = "from" in chosen or "to" in chosen
    current = None if is_free else chosen.get("period", DEFAULT_PERIOD)
    path = f"/dashboard/stores/{store_id}/reports"
    return [(_(label), f"{path}?period={period}", period == current) for period, label in PERIODS.items()]


def _list_changes(report: Mapping[str, Any]) -> dict[str, int | None]:
    """Return by how many percent the totals changed; None where there was nothing before."""
    before = report["compare"]
    pairs = {
        "gross": (report["revenue"]["gross"], before["revenue"]["gross"]),
        "paid": (report["revenue"]["paid"], before["revenue"]["paid"]),
        "average": (report["revenue"]["avg_order_value"], before["revenue"]["avg_order_value"]),
        "orders": (report["orders"]["total"], before["orders"]["total"]),
    }
    return {name: round((now - then) * 100 / then) if then else None for name, (now, then) in pairs.items()}


def _draw_sales(visit: Visit, days: Iterable[tuple[str, Mapping[str, Any]]]) -> Any:
    shown = list(days)
    currency = visit.store.currency
    return line_chart(
        _("Sales by day"),
        [label for label, _day in shown],
        Series(_("Sales"), [day["gross"] for _label, day in shown]),
        Series(_("Paid"), [day["paid"] for _label, day in shown]),
        texts=[(format_money(day["gross"], currency), format_money(day["paid"], currency)) for _label, day in shown],
    )


def _draw_orders(days: Iterable[tuple[str, Mapping[str, Any]]]) -> Any:
    shown = list(days)
    return bar_chart(
        _("Orders by day"),
        [label for label, _day in shown],
        Series(_("Orders"), [day["orders"] for _label, day in shown]),
        texts=[(format_number(day["orders"]),) for _label, day in shown],
    )


def _list_types(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    modes = runtime.registry().fulfillment_modes
    return [(_(modes[code].label) if code in modes else code, number) for code, number in numbers.items()]


def _list_day_rows(report: Mapping[str, Any]) -> list[list[Any]]:
    head = ["date", "orders", "paid_orders", "gross", "paid", *CHARGES]
    rows = [[day[name] for name in head[:5]] + [day["charges"][name] for name in CHARGES] for day in report["by_day"]]
    return [head, *rows]


def _list_item_rows(report: Mapping[str, Any]) -> list[list[Any]]:
    head = ["item_id", "name", "quantity"]
    return [head, *([item[name] for name in head] for item in report["top_items"])]


TABLES: Final[Mapping[str, Callable[[Mapping[str, Any]], Sequence[Sequence[Any]]]]] = {
    "days": _list_day_rows,
    "items": _list_item_rows,
}
