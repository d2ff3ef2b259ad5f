"""The kitchen's part of an order in the dashboard."""

from typing import Final

from comanda.contracts import Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit

from comanda_kds.models import ItemState

ORDER: Final = "/restaurants/{id}/orders/{orderId}"
STATES: Final = {
    ItemState.QUEUED: N_("Queued"),
    ItemState.PREPARING: N_("Preparing"),
    ItemState.READY: N_("Ready"),
    ItemState.SERVED: N_("Served"),
}
TONES: Final = {"queued": "warn", "preparing": "info", "ready": "good", "served": "good"}


async def load_kitchen_panel(visit: Visit, order_id: int) -> str | None:
    """Return the lines that the kitchen makes, with their states; None for an order without such lines."""
    order = await visit.api.get(ORDER, id=visit.store.id, orderId=order_id)
    lines = [line for line in order["items"] if line["kds_status"]]
    if not lines:
        return None
    stations = {}
    if visit.api.has("GET", "/restaurants/{id}/stations"):
        found = await visit.api.get("/restaurants/{id}/stations", query={"per_page": 100}, id=visit.store.id)
        stations = {station["id"]: station["name"] for station in found["data"]}
    return await visit.render_fragment(
        "kds/dashboard/_order_panel.html",
        lines=lines,
        stations=stations,
        states={state.value: _(label) for state, label in STATES.items()},
        tones=TONES,
    )


PANELS: Final = (Panel("kds_order", "order", N_("Kitchen"), load_kitchen_panel, "orders:read", position=30),)
