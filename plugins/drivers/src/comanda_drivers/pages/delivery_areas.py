"""Delivery areas, fees and dispatch of a store."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_drivers.pages.dashboard import dashboard

TERMS: Final = "/restaurants/{id}/delivery-terms"
# Amounts that cannot be removed are zero when a person empties them.
ZERO_WHEN_EMPTY: Final = ("fee", "driver_pay")
# One row is always free for a person without JavaScript.
FREE_ROWS: Final = 1
MIN_ROWS: Final = 3
MIN_POSTCODE_ROWS: Final = 2


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
    # A form without rows for them leaves them unchanged.
    if "postcode_bands" in form.values:
        rows = [_split_prefixes(row) for row in _clean_bands(form.values["postcode_bands"])]
        form.values["postcode_bands"] = [row for row in rows if row["prefixes"] or row.get("fee") is not None]
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


def _split_prefixes(row: Mapping[str, Any]) -> dict[str, Any]:
    texts = row.get("prefixes") or []
    return {**row, "prefixes": [part.strip() for text in texts for part in text.split(",") if part.strip()]}


async def _render(visit: Visit, form: Form) -> Response:
    rows = max(len(form.get_value("bands") or []) + FREE_ROWS, MIN_ROWS)
    postcode_rows = max(len(form.get_value("postcode_bands") or []) + FREE_ROWS, MIN_POSTCODE_ROWS)
    return await visit.render(
        "drivers/dashboard/delivery_areas.html", form=form, rows=rows, postcode_rows=postcode_rows
    )
