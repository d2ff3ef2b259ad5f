"""Cash drawers in the dashboard: shifts are opened, reported (X), counted and closed (Z)."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import NavigationEntry, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("drawer", __name__)

SHIFTS: Final = "/restaurants/{id}/shifts"
SHIFT: Final = f"{SHIFTS}/{{shiftId}}"
MOVEMENTS: Final = f"{SHIFT}/movements"
DRIVER_CASH: Final = "/restaurants/{id}/driver-cash"
MAX_OPEN: Final = 100
KINDS: Final = {
    "opening": N_("Starting cash"),
    "payment": N_("Payments in cash"),
    "refund": N_("Refunds in cash"),
    "paid_in": N_("Put in"),
    "paid_out": N_("Taken out"),
    "driver_cash": N_("Cash of drivers"),
    "no_sale": N_("No sale"),
}
ACTORS: Final = {"owner": N_("Owner"), "staff": N_("Staff"), "driver": N_("Driver"), "app": N_("App")}
NAVIGATION: Final = (
    NavigationEntry(
        N_("Cash drawers"), "/stores/{store_id}/drawers", "reports", "orders:read", icon="drawer", position=30
    ),
)


@dashboard.get("/stores/<int:store_id>/drawers", scope="orders:read")
async def list_shifts(visit: Visit, store_id: int) -> Response:
    """List the open drawers, and the shifts that were closed."""
    return await _render_list(visit, visit.form("POST", SHIFTS))


@dashboard.post("/stores/<int:store_id>/drawers", scope="orders:write")
async def open_shift(visit: Visit, store_id: int) -> Response:
    """Open a drawer for a shift."""
    form = await visit.read_form("POST", SHIFTS, id=store_id)
    if (shift := await form.submit()) is None:
        return await _render_list(visit, form)
    notice = _("Drawer %(name)s is open.", name=shift["drawer"])
    return visit.redirect(f"/stores/{store_id}/drawers/{shift['id']}", notice=notice)


@dashboard.get("/stores/<int:store_id>/drawers/unassigned", scope="orders:read")
async def list_unassigned(visit: Visit, store_id: int) -> Response:
    """List cash that belongs to no drawer."""
    movements = await visit.api.get(f"{SHIFTS}/unassigned", id=store_id, query=visit.query("page"))
    return await visit.render("drawer/dashboard/unassigned.html", movements=movements, **_get_labels())


@dashboard.get("/stores/<int:store_id>/drawers/<int:shift_id>", scope="orders:read")
async def show_shift(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Show the report of a shift: so far while it is open (X), at its end once it is closed (Z)."""
    shift = await visit.api.get(SHIFT, id=store_id, shiftId=shift_id)
    movements = await visit.api.get(MOVEMENTS, id=store_id, shiftId=shift_id, query=visit.query("page"))
    drivers = []
    if shift["status"] == "open" and visit.may("orders:write") and visit.api.has("GET", DRIVER_CASH):
        drivers = (await visit.api.get(DRIVER_CASH, id=store_id))["data"]
    return await visit.render(
        "drawer/dashboard/shift.html", shift=shift, movements=movements, drivers=drivers, **_get_labels()
    )


@dashboard.get("/stores/<int:store_id>/drawers/<int:shift_id>/move", scope="orders:write")
async def show_movement_form(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Show the form for cash that is put in or taken out."""
    shift = await visit.api.get(SHIFT, id=store_id, shiftId=shift_id)
    return await _render_movement(visit, visit.form("POST", MOVEMENTS, {"kind": "paid_out"}), shift)


@dashboard.post("/stores/<int:store_id>/drawers/<int:shift_id>/move", scope="orders:write")
async def create_movement(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Record cash that is put in or taken out, or a drawer that was opened without a sale."""
    shift = await visit.api.get(SHIFT, id=store_id, shiftId=shift_id)
    form = await visit.read_form("POST", MOVEMENTS, id=store_id, shiftId=shift_id)
    if await form.submit() is None:
        return await _render_movement(visit, form, shift)
    return visit.redirect(f"/stores/{store_id}/drawers/{shift_id}", notice=_("Recorded."))


@dashboard.post("/stores/<int:store_id>/drawers/<int:shift_id>/driver-cash", scope="orders:write")
async def hand_in_driver_cash(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Record that a driver hands in all the cash that they hold."""
    driver_id = parse_id((await visit.read_texts()).get("driver_id"))
    return await visit.act(
        "POST", f"{SHIFT}/driver-cash", body={"driver_id": driver_id},
        to=f"/stores/{store_id}/drawers/{shift_id}", id=store_id, shiftId=shift_id,
        notice=_("The driver's cash is in the drawer."),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/drawers/<int:shift_id>/close", scope="orders:write")
async def show_close_form(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Show the form for the counted cash."""
    shift = await visit.api.get(SHIFT, id=store_id, shiftId=shift_id)
    form = visit.form("POST", f"{SHIFT}/close")
    return await visit.render("drawer/dashboard/close.html", form=form, shift=shift)


@dashboard.post("/stores/<int:store_id>/drawers/<int:shift_id>/close", scope="orders:write")
async def close_shift(visit: Visit, store_id: int, shift_id: int) -> Response:
    """Close a shift with the counted cash."""
    shift = await visit.api.get(SHIFT, id=store_id, shiftId=shift_id)
    form = await visit.read_form("POST", f"{SHIFT}/close", id=store_id, shiftId=shift_id)
    if await form.submit() is None:
        return await visit.render("drawer/dashboard/close.html", form=form, shift=shift)
    return visit.redirect(f"/stores/{store_id}/drawers/{shift_id}", notice=_("The shift is closed."))


async def _render_list(visit: Visit, form: Form) -> Response:
    store_id = visit.store.id
    opened = await visit.api.get(SHIFTS, id=store_id, query={"status": "open", "per_page": MAX_OPEN})
    closed = await visit.api.get(SHIFTS, id=store_id, query={"status": "closed", **visit.query("page")})
    unassigned = await visit.api.get(f"{SHIFTS}/unassigned", id=store_id, query={"per_page": 1})
    names = sorted({shift["drawer"] for shift in closed["data"]})
    return await visit.render(
        "drawer/dashboard/shifts.html", form=form, opened=opened["data"], closed=closed,
        unassigned=unassigned["total"], names=[(name, name) for name in names], **_get_labels(),
    )  # fmt: skip


async def _render_movement(visit: Visit, form: Form, shift: Mapping[str, Any]) -> Response:
    kinds = [(kind, _(KINDS[kind])) for kind in ("paid_out", "paid_in", "no_sale")]
    return await visit.render("drawer/dashboard/movement.html", form=form, shift=shift, kinds=kinds)


def _get_labels() -> dict[str, Any]:
    return {"kinds": {kind: _(label) for kind, label in KINDS.items()}, "get_actor": _get_actor}


def _get_actor(actor: str) -> str:
    """Return who did something, such as ``Staff 12`` for ``staff:12``."""
    kind, _separator, number = actor.partition(":")
    label = _(ACTORS[kind]) if kind in ACTORS else kind.replace("_", " ").capitalize()
    return label if kind == "owner" else _("%(kind)s %(number)s", kind=label, number=number)
