"""Deliverect in the dashboard: connect a store, and see what became of its orders."""

from typing import Any, Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("deliverect", __name__)

PAGE: Final = "/stores/<int:store_id>/deliverect"
CONNECTION: Final = "/restaurants/{id}/deliverect"
READ: Final = "restaurants:read"
WRITE: Final = "restaurants:write"

NAVIGATION: Final = NavigationEntry(
    N_("Deliverect"), "/stores/{store_id}/deliverect", "settings", READ, icon="link", position=46
)


@dashboard.get(PAGE, scope=READ)
async def show_connection(visit: Visit, store_id: int) -> Response:
    """Show a store's connection, its form, and the orders that came from there."""
    connection = await visit.api.get(CONNECTION, id=store_id)
    return await _render(visit, visit.form("PUT", CONNECTION, connection), connection)


@dashboard.post(PAGE, scope=WRITE, step_up=True)
async def update_connection(visit: Visit, store_id: int) -> Response:
    """Connect a store, or change its connection."""
    form = await visit.read_form("PUT", CONNECTION, id=store_id)
    if await form.submit() is None:
        return await _render(visit, form, await visit.api.get(CONNECTION, id=store_id))
    return visit.redirect(f"/stores/{store_id}/deliverect", notice=_("Deliverect is connected."))


@dashboard.post(f"{PAGE}/delete", scope=WRITE, step_up=True)
async def delete_connection(visit: Visit, store_id: int) -> Response:
    """Disconnect a store."""
    to, notice = f"/stores/{store_id}/deliverect", _("Deliverect is disconnected.")
    return await visit.act("DELETE", CONNECTION, to=to, notice=notice, id=store_id)


@dashboard.post(f"{PAGE}/menu", scope=WRITE)
async def send_menu(visit: Visit, store_id: int) -> Response:
    """Send the menu."""
    to, notice = f"/stores/{store_id}/deliverect", _("The menu was sent.")
    return await visit.act("POST", f"{CONNECTION}/menu", to=to, notice=notice, id=store_id)


async def _render(visit: Visit, form: Form, connection: dict[str, Any]) -> Response:
    # Credentials are not shown again.
    for name in ("client_id", "client_secret", "webhook_secret"):
        form.values.pop(name, None)
    orders: dict[str, Any] | None = None
    if connection["location_id"] and visit.may("orders:read"):
        orders = await visit.api.get(f"{CONNECTION}/orders", query=visit.query("page"), id=visit.store.id)
    return await visit.render(
        "deliverect/dashboard/connection.html", connection=connection, form=form, orders=orders, states=get_states()
    )


def get_states() -> dict[str, tuple[str, str]]:
    """Return what the states of orders are called, and the tone of each."""
    return {
        "waiting": (_("Waiting"), "warn"),
        "placed": (_("Placed"), "good"),
        "rejected": (_("Rejected"), "bad"),
        "ignored": (_("Not taken"), "neutral"),
    }
