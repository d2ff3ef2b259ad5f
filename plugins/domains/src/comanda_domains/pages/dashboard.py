"""The hosts of a store in the dashboard: register, prove, remove."""

from typing import Final

from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("domains", __name__)

HOSTS: Final = "/restaurants/{id}/hosts"
HOST: Final = f"{HOSTS}/{{hostId}}"
READ: Final = "restaurants:read"
WRITE: Final = "restaurants:write"


@dashboard.get("/stores/<int:store_id>/hosts", scope=READ)
async def list_hosts(visit: Visit, store_id: int) -> Response:
    """Show a store's hosts, and the form for another."""
    return await _render(visit, visit.form("POST", HOSTS))


@dashboard.post("/stores/<int:store_id>/hosts", scope=WRITE)
async def create_host(visit: Visit, store_id: int) -> Response:
    """Register a host."""
    form = await visit.read_form("POST", HOSTS, id=store_id)
    if await form.submit() is None:
        return await _render(visit, form)
    return visit.redirect(f"/stores/{store_id}/hosts", notice=_("Domain added."))


@dashboard.post("/stores/<int:store_id>/hosts/<int:host_id>/check", scope=WRITE)
async def check_host(visit: Visit, store_id: int, host_id: int) -> Response:
    """Look for the record that proves a host."""
    return await _act(visit, "POST", f"{HOST}/check", host_id, _("The domain is connected."))


@dashboard.post("/stores/<int:store_id>/hosts/<int:host_id>/redirect", scope=WRITE)
async def update_host(visit: Visit, store_id: int, host_id: int) -> Response:
    """Change whether the shared address leads to a host."""
    redirects = (await visit.read_texts()).get("redirects") == "true"
    return await _act(visit, "PATCH", HOST, host_id, _("Domain saved."), {"redirects": redirects})


@dashboard.post("/stores/<int:store_id>/hosts/<int:host_id>/delete", scope=WRITE)
async def delete_host(visit: Visit, store_id: int, host_id: int) -> Response:
    return await _act(visit, "DELETE", HOST, host_id, _("Domain removed."))


async def _act(
    visit: Visit, method: str, path: str, host_id: int, notice: str, body: dict[str, bool] | None = None
) -> Response:
    to = f"/stores/{visit.store.id}/hosts"
    return await visit.act(method, path, to=to, notice=notice, body=body, id=visit.store.id, hostId=host_id)


async def _render(visit: Visit, form: Form) -> Response:
    found = await visit.api.get(HOSTS, id=visit.store.id)
    return await visit.render("domains/dashboard/hosts.html", found=found, form=form)
