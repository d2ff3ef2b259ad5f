"""Drivers in the dashboard: listed, created and changed, with their deliveries, their pay and the cash they hold."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import NotFound
from comanda.contracts import parse_id
from comanda.platform import runtime
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_drivers.pages.dashboard import dashboard
from comanda_drivers.pages.dispatch import (
    DRIVER_CASH,
    DRIVERS,
    get_delivery_texts,
    list_active_deliveries,
    list_tabs,
    load_cash,
)

DRIVER: Final = "/drivers/{id}"
ADJUSTMENTS: Final = f"{DRIVER}/adjustments"
ROTATION: Final = f"{DRIVER}/rotate-token"
# Cash is handed in at an open drawer.
SHIFTS: Final = "/restaurants/{id}/shifts"
HAND_IN: Final = f"{SHIFTS}/{{shiftId}}/driver-cash"
MAX_OPEN: Final = 100
ENTRY_KINDS: Final = {
    "collected": N_("Collected at the door"),
    "refunded": N_("Refunded"),
    "handed_in": N_("Handed in"),
}


@dashboard.get("/stores/<int:store_id>/drivers/all", scope="drivers:read")
async def list_drivers(visit: Visit, store_id: int) -> Response:
    """List the drivers who work for the store."""
    drivers = await visit.api.get(DRIVERS, query={"restaurant_id": store_id, **visit.query("page")})
    return await visit.render(
        "drivers/dashboard/drivers.html", drivers=drivers, cash=await load_cash(visit), tabs=list_tabs(store_id, "all")
    )


@dashboard.get("/stores/<int:store_id>/drivers/new", scope="drivers:write", step_up=True)
async def show_new_driver(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render_new_driver(visit, visit.form("POST", DRIVERS, {"restaurant_id": store_id}))


@dashboard.post("/stores/<int:store_id>/drivers/new", scope="drivers:write", step_up=True)
async def create_driver(visit: Visit, store_id: int) -> Response:
    """Create a driver and show their token."""
    form = await visit.read_form("POST", DRIVERS)
    if (driver := await form.submit()) is None:
        return await _render_new_driver(visit, form)
    return await _render_token(visit, driver)


@dashboard.get("/stores/<int:store_id>/drivers/<int:driver_id>", scope="drivers:read")
async def show_driver(visit: Visit, store_id: int, driver_id: int) -> Response:
    """Show a driver: deliveries in progress, cash, pay, and the form."""
    driver = await _get_driver(visit, driver_id)
    return await _render_driver(visit, driver, visit.form("PUT", DRIVER, driver), visit.form("POST", ADJUSTMENTS))


@dashboard.post("/stores/<int:store_id>/drivers/<int:driver_id>", scope="drivers:write")
async def update_driver(visit: Visit, store_id: int, driver_id: int) -> Response:
    driver = await _get_driver(visit, driver_id)
    form = await visit.read_form("PUT", DRIVER, id=driver_id)
    # Null would leave them as they are.
    form.values |= {name: form.values.get(name) or "" for name in ("name", "phone")}
    if (saved := await form.submit()) is None:
        return await _render_driver(visit, driver, form, visit.form("POST", ADJUSTMENTS))
    is_here = saved["restaurant_id"] in {None, store_id}
    path = f"/stores/{store_id}/drivers/{driver_id if is_here else 'all'}"
    return visit.redirect(path, notice=_("%(name)s saved.", name=saved["name"]))


@dashboard.post("/stores/<int:store_id>/drivers/<int:driver_id>/adjust", scope="drivers:write")
async def create_adjustment(visit: Visit, store_id: int, driver_id: int) -> Response:
    """Add an amount to what the driver has earned, or deduct one."""
    driver = await _get_driver(visit, driver_id)
    form = await visit.read_form("POST", ADJUSTMENTS, id=driver_id)
    form.values["restaurant_id"] = store_id
    if await form.submit() is None:
        return await _render_driver(visit, driver, visit.form("PUT", DRIVER, driver), form)
    return visit.redirect(f"/stores/{store_id}/drivers/{driver_id}", notice=_("Added to the driver's earnings."))


@dashboard.post("/stores/<int:store_id>/drivers/<int:driver_id>/hand-in", scope="orders:write")
async def hand_in_cash(visit: Visit, store_id: int, driver_id: int) -> Response:
    """Receive cash of the driver in an open drawer: all that they hold, or an amount."""
    await _get_driver(visit, driver_id)
    if not visit.api.has("POST", HAND_IN):
        raise NotFound
    form = await visit.read_form("POST", HAND_IN, id=store_id, shiftId=0)
    body = {"driver_id": driver_id, "amount": form.values.get("amount")}
    shift_id = parse_id((await visit.read_texts()).get("_shift_id")) or 0
    return await visit.act(
        "POST", HAND_IN, body=body, to=f"/stores/{store_id}/drivers/{driver_id}", id=store_id, shiftId=shift_id,
        notice=_("The driver's cash is in the drawer."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/drivers/<int:driver_id>/rotate-token", scope="drivers:write", step_up=True)
async def rotate_token(visit: Visit, store_id: int, driver_id: int) -> Response:
    """Log the driver out everywhere and show a new token."""
    driver = await _get_driver(visit, driver_id)
    if not driver["is_active"]:
        path = f"/stores/{store_id}/drivers/{driver_id}"
        return visit.redirect(path, problem=_("%(name)s is not active.", name=driver["name"]))
    return await _render_token(visit, await visit.api.post(ROTATION, id=driver_id))


@dashboard.post("/stores/<int:store_id>/drivers/<int:driver_id>/delete", scope="drivers:write")
async def delete_driver(visit: Visit, store_id: int, driver_id: int) -> Response:
    """Delete a driver; one with deliveries in progress stays, with a sentence."""
    driver = await _get_driver(visit, driver_id)
    if driver["active_deliveries"]:
        path = f"/stores/{store_id}/drivers/{driver_id}"
        sentence = _("%(name)s has deliveries in progress. Assign them to others first.", name=driver["name"])
        return visit.redirect(path, problem=sentence)
    return await visit.act(
        "DELETE", DRIVER, to=f"/stores/{store_id}/drivers/all", notice=_("Driver deleted."), id=driver_id
    )


async def _get_driver(visit: Visit, driver_id: int) -> dict[str, Any]:
    """Return a driver who works for the store of the page. Raises ``NotFound``."""
    driver: dict[str, Any] = await visit.api.get(DRIVER, id=driver_id)
    if driver["restaurant_id"] not in {None, visit.store.id}:
        raise NotFound
    return driver


async def _render_new_driver(visit: Visit, form: Form) -> Response:
    return await visit.render("drivers/dashboard/new_driver.html", form=form, store_choices=_list_stores(visit))


async def _render_token(visit: Visit, driver: Mapping[str, Any]) -> Response:
    return await visit.render(
        "drivers/dashboard/token.html", driver=driver, site_url=runtime.settings().site_url.rstrip("/")
    )


async def _render_driver(visit: Visit, driver: Mapping[str, Any], form: Form, adjustment: Form) -> Response:
    return await visit.render(
        "drivers/dashboard/driver.html",
        status=422 if adjustment.is_refused else None,
        driver=driver,
        form=form,
        adjustment=adjustment,
        store_choices=_list_stores(visit),
        deliveries=await list_active_deliveries(visit, driver_id=driver["id"]),
        cash=await _get_cash(visit, driver["id"]),
        drawers=await _list_open_drawers(visit),
        kinds={kind: _(label) for kind, label in ENTRY_KINDS.items()},
        **get_delivery_texts(),
    )


def _list_stores(visit: Visit) -> list[tuple[str, str]]:
    return [(str(each.id), each.title) for each in visit.stores]


async def _get_cash(visit: Visit, driver_id: int) -> Mapping[str, Any] | None:
    """Return the cash of the store that the driver holds, with its changes; None if they never collected any."""
    path = f"{DRIVER_CASH}/{{driverId}}"
    if not visit.may("orders:read") or not visit.api.has("GET", path):
        return None
    try:
        cash: dict[str, Any] = await visit.api.get(path, id=visit.store.id, driverId=driver_id)
    except NotFound:
        return None
    return cash


async def _list_open_drawers(visit: Visit) -> list[dict[str, Any]] | None:
    """Return the open shifts of drawers, or None if cash is not received in drawers."""
    if not visit.may("orders:write") or not visit.api.has("POST", HAND_IN):
        return None
    found = await visit.api.get(SHIFTS, id=visit.store.id, query={"status": "open", "per_page": MAX_OPEN})
    return list(found["data"])
