"""The day report in the dashboard: what was sold, paid and refunded on the days of one store or several."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from comanda.basics import ValidationFailed, clock
from comanda.stores import DayKind, get_day
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Visit, get_sentence
from quart import Response, request

from comanda_closings.pages.totals import list_texts

dashboard: Final = DashboardPages("closings", __name__)

REPORT: Final = "/restaurants/{id}/day-report"
PERIODS: Final = {"1": N_("Today"), "7": N_("7 days"), "30": N_("30 days"), "90": N_("90 days")}


@dashboard.get("/stores/<int:store_id>/day-report", scope="analytics:read")
async def show_report(visit: Visit, store_id: int) -> Response:
    """Show the totals of a day or of several."""
    chosen = _get_query(visit)
    problem = None
    try:
        report = await visit.api.get(REPORT, id=store_id, query=chosen)
    except ValidationFailed as error:
        problem, report = get_sentence(error), await visit.api.get(REPORT, id=store_id)
    return await visit.render(
        "closings/dashboard/report.html",
        status=422 if problem else 200,
        report=report,
        problem=problem,
        tabs=_list_tabs(visit, chosen),
        further_stores=[
            (store.id, store.title, store.id in report["restaurant_ids"])
            for store in visit.stores
            if store.id != store_id and store.currency == visit.store.currency
        ],
        export_path=f"/dashboard/stores/{store_id}/day-report.csv?{urlencode(chosen)}&table=",
        texts=list_texts(visit),
    )


@dashboard.get("/stores/<int:store_id>/day-report.csv", scope="analytics:read")
async def export_report(visit: Visit, store_id: int) -> Response:
    """Send one table of the report for spreadsheets."""
    return await send_table(visit, f"{REPORT}/export", {**_get_query(visit), **visit.query("table")}, id=store_id)


async def send_table(visit: Visit, path: str, query: Mapping[str, str], **parameters: Any) -> Response:
    """Send the file of a route."""
    answer = await visit.api.send("GET", path, query=query, **parameters)
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


def _get_query(visit: Visit) -> dict[str, str]:
    """Return the days and the stores that were chosen; several boxes of stores are one value."""
    chosen = visit.query("from", "to", "day")
    stores = [text for text in request.args.getlist("also") if text]
    return {**chosen, "also": ",".join(stores)} if stores else chosen


def _list_tabs(visit: Visit, chosen: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    kind = DayKind.CALENDAR if chosen.get("day") == DayKind.CALENDAR else DayKind.BUSINESS
    start_minutes = visit.store.day_start_minutes if kind is DayKind.BUSINESS else 0
    today = get_day(clock.now(), visit.zone, start_minutes)
    kept = {name: chosen[name] for name in ("day", "also") if name in chosen}
    tabs = []
    for count, label in PERIODS.items():
        first, last = (today - timedelta(days=int(count) - 1)).isoformat(), today.isoformat()
        is_current = (chosen.get("from", last), chosen.get("to", last)) == (first, last)
        tabs.append((_(label), f"?{urlencode({**kept, 'from': first, 'to': last})}", is_current))
    return tabs
