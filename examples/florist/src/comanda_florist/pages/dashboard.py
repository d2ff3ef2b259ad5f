"""Occasions of a flower shop in the dashboard."""

from comanda.web import gettext
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

OCCASIONS = "/restaurants/{id}/florist/occasions"

dashboard = DashboardPages("florist", __name__)


@dashboard.get("/stores/<int:store_id>/occasions", scope="customers:read")
async def list_occasions(visit: Visit, store_id: int) -> Response:
    """Show the occasions of the shop, and the form for another one."""
    return await _render_occasions(visit, visit.form("POST", OCCASIONS))


@dashboard.post("/stores/<int:store_id>/occasions", scope="customers:write")
async def create_occasion(visit: Visit, store_id: int) -> Response:
    """Create an occasion, or show the form again with what is wrong."""
    form = await visit.read_form("POST", OCCASIONS, id=store_id)
    if await form.submit() is None:
        return await _render_occasions(visit, form)
    return visit.redirect(f"/stores/{store_id}/occasions", notice=gettext("Occasion created."))


async def _render_occasions(visit: Visit, form: Form) -> Response:
    occasions = await visit.api.get(OCCASIONS, id=visit.store.id, query=visit.query("page"))
    return await visit.render("florist/dashboard/occasions.html", occasions=occasions, form=form)
