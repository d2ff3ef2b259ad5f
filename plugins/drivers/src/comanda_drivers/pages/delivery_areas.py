"""Delivery areas, fees and dispatch of a store."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.web.dashboard import Visit
from comanda.web.dashboard_forms import Form
from comanda.web.translations import gettext as _
from quart import Response

from comanda_drivers.pages.dashboard import dashboard

TERMS: Final = "/restaurants/{id}/delivery-terms"
# Amounts that cannot be removed are zero when a person empties them.
ZERO_WHEN_EMPTY: Final = ("fee", "driver_pay")
# One row is always free for a person without JavaScript.
FREE_ROWS: Final = 1
MIN_ROWS: Final = 3


@dashboard.get("/stores/<int:store_id>/delivery-areas", scope="restaurants:read")
async def show_delivery_areas(visit: Visit, store_id: int) -> Response:
    """Show how far the store delivers, for how much, and how drivers get orders."""
    terms = await visit.api.get(TERMS, id=store_id)
    return await _render(visit, visit.form("PUT", TERMS, terms))


@dashboard.post("/stores/<int:store_id>/delivery-areas", scope="restaurants:write")
async def update_delivery_areas(visit: Visit, store_id: int) -> Response:
    """Save areas, fees and dispatch; rows that were left empty are removed."""
    form = await visit.read_form("PUT", TERMS, id=store_id)
    form.values["bands"] = _clean_bands(form.values.get("bands"))
    for name in ZERO_WHEN_EMPTY:
        if form.values.get(name) is None:
            form.values[name] = 0
    if form.values.get("max_active_deliveries") is None:
        form.values.pop("max_active_deliveries", None)
    if await form.submit() is None:
        return await _render(visit, form)
    return visit.redirect(f"/stores/{store_id}/delivery-areas", notice=_("Delivery areas and fees saved."))


def _clean_bands(sent: Any) -> list[Any]:
    return [row for row in sent if isinstance(row, Mapping) and row] if isinstance(sent, list) else []


async def _render(visit: Visit, form: Form) -> Response:
    rows = max(len(form.get_value("bands") or []) + FREE_ROWS, MIN_ROWS)
    return await visit.render("drivers/dashboard/delivery_areas.html", form=form, rows=rows)
