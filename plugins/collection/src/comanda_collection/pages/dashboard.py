"""Pick-up and appointment times of a store in the dashboard."""

from typing import Any, Final

from comanda.basics import require_found
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("collection", __name__)

SETTINGS: Final = "/restaurants/{id}/slot-settings"
SLOTS: Final = "/restaurants/{id}/slots"
MODE_LABELS: Final = {"pickup_slot": N_("Pick-up"), "appointment": N_("Appointments")}


@dashboard.get("/stores/<int:store_id>/collection-slots", scope="restaurants:read")
async def show_slot_settings(visit: Visit, store_id: int) -> Response:
    """Show the times at which customers come, and how full a day is."""
    modes = (await visit.api.get(SETTINGS, id=store_id))["modes"]
    asked = visit.query("mode").get("mode")
    current = next((mode for mode in modes if mode["mode"] == asked), modes[0] if modes else None)
    return await _render(visit, modes, visit.form("PUT", SETTINGS, current), current)


@dashboard.post("/stores/<int:store_id>/collection-slots", scope="restaurants:write")
async def update_slot_settings(visit: Visit, store_id: int) -> Response:
    """Save the times of one mode."""
    form = await visit.read_form("PUT", SETTINGS, id=store_id)
    mode = form.values.get("mode")
    if await form.submit() is None:
        modes = (await visit.api.get(SETTINGS, id=store_id))["modes"]
        current = require_found(next((each for each in modes if each["mode"] == mode), None))
        return await _render(visit, modes, form, current)
    return visit.redirect(f"/stores/{store_id}/collection-slots?mode={mode}", notice=_("Times saved."))


async def _render(visit: Visit, modes: list[Any], form: Form, current: Any) -> Response:
    slots = None
    if current is not None and visit.api.has("GET", SLOTS):
        query = {"mode": current["mode"], **visit.query("date")}
        slots = await visit.api.get(SLOTS, id=visit.store.id, query=query)
    path = f"/dashboard/stores/{visit.store.id}/collection-slots"
    tabs = [
        (_(MODE_LABELS.get(mode["mode"], mode["mode"])), f"{path}?mode={mode['mode']}", mode is current)
        for mode in modes
    ]
    return await visit.render("collection/dashboard/slots.html", form=form, current=current, tabs=tabs, slots=slots)
