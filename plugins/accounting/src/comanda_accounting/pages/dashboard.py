"""Accounting in the dashboard: the closings of a period, and their files."""

from datetime import date, timedelta
from typing import Final

from comanda.basics import ValidationFailed, clock
from comanda.contracts import NavigationEntry
from comanda.stores import get_day
from comanda.web import N_, PRIVATE_HEADERS, translate_sentence
from comanda.web.dashboard import DashboardPages, Visit, get_sentence
from quart import Response

dashboard: Final = DashboardPages("accounting", __name__)

ACCOUNTING: Final = "/restaurants/{id}/accounting"
NAVIGATION: Final = NavigationEntry(
    N_("Accounting"), "/stores/{store_id}/accounting", "reports", "analytics:read", icon="file", position=16
)
# What the service may answer, for translation.
SENTENCES: Final = (
    N_("Must be an account of at most 20 letters and digits, such as 8400."),
    N_("Must have a tax rate and an account on each line, such as 19 = 8400."),
    N_("Must have a payment method and an account on each line, such as stripe = 1361."),
    N_("Must have each tax rate and payment method once."),
    N_("Must have at most 50 lines."),
    N_("Must be a month and a day of every year, such as 01-01."),
)


@dashboard.get("/stores/<int:store_id>/accounting", scope="analytics:read")
async def show_accounting(visit: Visit, store_id: int) -> Response:
    """Show the closings of a period, by default the month before, and whether anything lacks an account."""
    chosen = visit.query("from", "to") or _get_last_month(visit)
    problem = None
    try:
        period = await visit.api.get(ACCOUNTING, id=store_id, query=chosen)
    except ValidationFailed as error:
        problem, period = (
            get_sentence(error),
            await visit.api.get(ACCOUNTING, id=store_id, query=_get_last_month(visit)),
        )
    datev_problem = period["datev_problem"]
    return await visit.render(
        "accounting/dashboard/accounting.html",
        status=422 if problem else 200,
        period=period,
        problem=problem,
        datev_problem=translate_sentence(datev_problem) if datev_problem else None,
        file=f"/dashboard/stores/{store_id}/accounting.csv?from={period['from']}&to={period['to']}&format=",
    )


@dashboard.get("/stores/<int:store_id>/accounting.csv", scope="analytics:read")
async def export_closings(visit: Visit, store_id: int) -> Response:
    """Send the file of a period."""
    query = visit.query("from", "to", "format")
    answer = await visit.api.send("GET", f"{ACCOUNTING}/export", query=query, id=store_id)
    return Response(answer.body, content_type=answer.content_type, headers={**answer.headers, **PRIVATE_HEADERS})


def _get_last_month(visit: Visit) -> dict[str, str]:
    today: date = get_day(clock.now(), visit.zone, visit.store.day_start_minutes)
    last = today.replace(day=1) - timedelta(days=1)
    return {"from": last.replace(day=1).isoformat(), "to": last.isoformat()}
