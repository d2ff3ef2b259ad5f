"""Closings in the dashboard: the days that are open (X), closing them (Z), and the closings that were made."""

from typing import Any, Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_closings.pages.reports import dashboard, send_table
from comanda_closings.pages.totals import list_texts

CLOSINGS: Final = "/restaurants/{id}/closings"
CLOSING: Final = f"{CLOSINGS}/{{closingId}}"
NAVIGATION: Final = (
    NavigationEntry(
        N_("Day report"), "/stores/{store_id}/day-report", "reports", "analytics:read", icon="calendar", position=12
    ),
    NavigationEntry(
        N_("Closings"), "/stores/{store_id}/closings", "reports", "analytics:read", icon="lock", position=14
    ),
)

# What the service may answer, for translation.
SENTENCES: Final = (
    N_("There are open checks. Take their payments, or complete or cancel them."),
    N_("There are open cash drawers. Count and close them."),
    N_("This day has not begun."),
    N_("The orders of this store are still being counted. Try again later."),
)


@dashboard.get("/stores/<int:store_id>/closings", scope="analytics:read")
async def list_closings(visit: Visit, store_id: int) -> Response:
    """Show what is open, and list the closings."""
    return await _render_list(visit, visit.form("POST", CLOSINGS))


@dashboard.post("/stores/<int:store_id>/closings", scope="analytics:write")
async def close_day(visit: Visit, store_id: int) -> Response:
    """Close the days up to one of them."""
    form = await visit.read_form("POST", CLOSINGS, id=store_id)
    if (closing := await form.submit()) is None:
        return await _render_list(visit, form)
    notice = _("Closing %(number)s is made.", number=closing["number"])
    return visit.redirect(f"/stores/{store_id}/closings/{closing['id']}", notice=notice)


@dashboard.get("/stores/<int:store_id>/closings/open", scope="analytics:read")
async def show_open_days(visit: Visit, store_id: int) -> Response:
    """Show the totals of the days that are open (X), to be printed."""
    report = await visit.api.get(f"{CLOSINGS}/open", id=store_id)
    return await visit.render(
        "closings/dashboard/closing.html", report=report, export_path=None, texts=list_texts(visit)
    )


@dashboard.get("/stores/<int:store_id>/closings/<int:closing_id>", scope="analytics:read")
async def show_closing(visit: Visit, store_id: int, closing_id: int) -> Response:
    """Show a closing (Z), to be printed."""
    report = await visit.api.get(CLOSING, id=store_id, closingId=closing_id)
    path = f"/dashboard/stores/{store_id}/closings/{closing_id}.csv?table="
    return await visit.render(
        "closings/dashboard/closing.html", report=report, export_path=path, texts=list_texts(visit)
    )


@dashboard.get("/stores/<int:store_id>/closings/<int:closing_id>.csv", scope="analytics:read")
async def export_closing(visit: Visit, store_id: int, closing_id: int) -> Response:
    """Send one table of a closing for spreadsheets."""
    return await send_table(visit, f"{CLOSING}/export", visit.query("table"), id=store_id, closingId=closing_id)


async def _render_list(visit: Visit, form: Form) -> Response:
    opened: dict[str, Any] = await visit.api.get(f"{CLOSINGS}/open", id=visit.store.id)
    closings = await visit.api.get(CLOSINGS, id=visit.store.id, query=visit.query("page"))
    return await visit.render(
        "closings/dashboard/closings.html", form=form, opened=opened, closings=closings, texts=list_texts(visit)
    )
