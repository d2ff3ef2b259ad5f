"""The laundry in the dashboard: what is due, the intake of an order, labels, and the panel on an order's page."""

from typing import Any, Final

from comanda.basics import Conflict, NotFound
from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Visit
from quart import Response

from comanda_laundry.item_capabilities import GARMENT_CARE
from comanda_laundry.models import GarmentState
from comanda_laundry.schemas import Due

dashboard: Final = DashboardPages("laundry", __name__, has_static=True)

ORDERS: Final = "/restaurants/{id}/laundry/orders"
ORDER: Final = f"{ORDERS}/{{orderId}}"
GARMENT: Final = "/restaurants/{id}/laundry/garments/{garmentId}"
READ: Final = "orders:read"
WRITE: Final = "orders:write"
MAX_DIGITS: Final = 15

STATE_LABELS: Final = {
    GarmentState.TAKEN_IN: (N_("Taken in"), "warn"),
    GarmentState.IN_WORK: (N_("Being cleaned"), "info"),
    GarmentState.READY: (N_("Ready"), "good"),
    GarmentState.RETURNED: (N_("Returned"), "neutral"),
    GarmentState.LOST: (N_("Lost garment"), "bad"),
    GarmentState.DAMAGED: (N_("Damaged"), "bad"),
}
NEXT_STATES: Final = {
    GarmentState.TAKEN_IN: GarmentState.IN_WORK,
    GarmentState.IN_WORK: GarmentState.READY,
    GarmentState.READY: GarmentState.RETURNED,
}
DUE_LABELS: Final = {Due.OPEN: N_("All open"), Due.TODAY: N_("Due today"), Due.OVERDUE: N_("Overdue")}


@dashboard.get("/stores/<int:store_id>/laundry", scope=READ)
async def list_orders(visit: Visit, store_id: int) -> Response:
    """List open orders by the day for which they are promised, or find the one of a tag."""
    asked = visit.query("due", "tag")
    due = asked.get("due") if asked.get("due") in set(Due) else Due.OPEN.value
    tag = asked.get("tag", "")
    query: dict[str, Any] = {"tag": tag} if tag.isdecimal() and 1 <= len(tag) <= 4 and int(tag) else {"due": due}
    found = await visit.api.get(ORDERS, id=store_id, query={**query, **visit.query("page")})
    if "tag" in query and found["total"] == 1:
        return visit.redirect(f"/stores/{store_id}/laundry/{found['data'][0]['order_id']}")
    path = f"/dashboard/stores/{store_id}/laundry"
    tabs = [(_(label), f"{path}?due={each}", "due" in query and each == due) for each, label in DUE_LABELS.items()]
    return await visit.render("laundry/dashboard/due_orders.html", orders=found, tabs=tabs, tag=tag)


@dashboard.get("/stores/<int:store_id>/laundry/<int:order_id>", scope=READ)
async def show_order(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show an order at the counter: weigh it, tag its garments, and hand them back."""
    order = await visit.api.get(ORDER, id=store_id, orderId=order_id)
    return await visit.render("laundry/dashboard/intake.html", order=order, **get_labels())


@dashboard.get("/stores/<int:store_id>/laundry/<int:order_id>/labels", scope=READ)
async def show_labels(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show the labels of an order's garments, to print them."""
    order = await visit.api.get(ORDER, id=store_id, orderId=order_id)
    return await visit.render("laundry/dashboard/labels.html", order=order)


@dashboard.post("/stores/<int:store_id>/laundry/<int:order_id>/weight", scope=WRITE)
async def weigh_line(visit: Visit, store_id: int, order_id: int) -> Response:
    """Save what a line weighs."""
    texts = await visit.read_texts()
    body: dict[str, Any] = {"grams": _to_number(texts.get("grams", ""))}
    if texts.get("refund"):
        body["refund"] = {}
    return await visit.act(
        "PUT", f"{ORDER}/lines/{{lineId}}/weight", to=_to_path(store_id, order_id), notice=_("Weight saved."),
        body=body, id=store_id, orderId=order_id, lineId=_to_number(texts.get("line_id", "")) or 0,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/laundry/<int:order_id>/ready-day", scope=WRITE)
async def set_ready_day(visit: Visit, store_id: int, order_id: int) -> Response:
    """Promise an order for another day."""
    body = {"ready_on": (await visit.read_texts()).get("ready_on")}
    return await visit.act(
        "PUT", f"{ORDER}/ready-day", to=_to_path(store_id, order_id), notice=_("Day saved."), body=body,
        id=store_id, orderId=order_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/laundry/<int:order_id>/tags", scope=WRITE)
async def tag_garments(visit: Visit, store_id: int, order_id: int) -> Response:
    """Give tags to pieces of a line."""
    texts = await visit.read_texts()
    body = {"line_id": _to_number(texts.get("line_id", "")), "note": texts.get("note") or None}
    if texts.get("count"):
        body["count"] = _to_number(texts["count"])
    return await visit.act(
        "POST", f"{ORDER}/garments", to=_to_path(store_id, order_id), notice=_("Tags given."), body=body,
        id=store_id, orderId=order_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/laundry/<int:order_id>/garments", scope=WRITE)
async def update_garments(visit: Visit, store_id: int, order_id: int) -> Response:
    """Save where a garment is, or all of the order."""
    texts = await visit.read_texts()
    to, notice = _to_path(store_id, order_id), _("Garments saved.")
    body = {"state": texts.get("state")}
    if "garment_id" not in texts:
        return await visit.act(
            "PUT", f"{ORDER}/garments", to=to, notice=notice, body=body, id=store_id, orderId=order_id
        )
    if texts.get("note"):
        body["note"] = texts["note"]
    garment_id = _to_number(texts["garment_id"]) or 0
    return await visit.act("PUT", GARMENT, to=to, notice=notice, body=body, id=store_id, garmentId=garment_id)


async def load_order_panel(visit: Visit, order_id: int) -> str | None:
    """Return the promised day and the garments of an order; None if nothing of it is cleaned."""
    if GARMENT_CARE.code not in visit.store.capabilities:
        return None
    try:
        order = await visit.api.get(ORDER, id=visit.store.id, orderId=order_id)
    except (Conflict, NotFound):
        return None
    return await visit.render_fragment("laundry/dashboard/_order_panel.html", order=order, **get_labels())


def get_labels() -> dict[str, Any]:
    """Return the labels of states, with the tones of their badges, and which comes next."""
    return {
        "states": {state.value: (_(label), tone) for state, (label, tone) in STATE_LABELS.items()},
        "next_states": {state.value: following.value for state, following in NEXT_STATES.items()},
    }


def _to_path(store_id: int, order_id: int) -> str:
    return f"/stores/{store_id}/laundry/{order_id}"


def _to_number(text: str) -> int | None:
    """Return a number that somebody typed; None for what is none, which the route refuses."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None


NAVIGATION: Final = (
    NavigationEntry(
        N_("Intake"), "/stores/{store_id}/laundry", "orders", READ, icon="tag", position=50,
        capability=GARMENT_CARE.code,
    ),
)  # fmt: skip
PANELS: Final = (Panel("laundry_order", "order", N_("Garments"), load_order_panel, READ, position=20),)
