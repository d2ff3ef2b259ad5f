"""The day's sales beside those of the same weekday last week."""

from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import Panel
from comanda.web import N_
from comanda.web.dashboard import DashboardPages, Visit
from quart import Response

from comanda_analytics.services import reports

dashboard: Final = DashboardPages("analytics", __name__)

WEEK: Final = timedelta(days=7)


async def load_sales_panel(visit: Visit, store_id: int) -> str | None:
    """Return the sales of today and of the same weekday last week, with a part that keeps itself current."""
    return await visit.render_fragment("analytics/dashboard/_sales_panel.html", **await _load_sales(visit, store_id))


@dashboard.get("/stores/<int:store_id>/sales-today", scope="analytics:read")
async def show_sales(visit: Visit, store_id: int) -> Response:
    """Show the sales alone, for a page that keeps itself current."""
    return await visit.answer_fragment("analytics/dashboard/_sales_panel.html", **await _load_sales(visit, store_id))


async def _load_sales(visit: Visit, store_id: int) -> dict[str, Any]:
    today = clock.now().astimezone(visit.zone).date()
    sales, before = await reports.compare_days(visit.caller, store_id, today, today - WEEK)
    gross, gross_before = sales.revenue.gross.minor, before.revenue.gross.minor
    change = round((gross - gross_before) * 100 / gross_before) if gross_before else None
    return {"sales": sales, "before": before, "change": change, "day_before": today - WEEK}


PANELS: Final = (Panel("analytics_sales", "today", N_("Sales today"), load_sales_panel, "analytics:read", position=10),)
