"""Installed apps in the dashboard: what they may do and cost, their cap, payment, removal."""

from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_texts import (
    describe_billing_status,
    describe_price,
    describe_scopes,
    format_price,
)

INSTALLATION: Final = "/app-installations/{id}"


@dashboard.get("/apps/installed", scope="apps:read")
async def list_installations(visit: Visit) -> Response:
    """Show the apps that are installed."""
    installed = await visit.api.get("/app-installations", query=visit.query("page"))
    for installation in installed["data"]:
        _describe(visit, installation)
    return await visit.render("marketplace/dashboard/installations.html", installed=installed)


@dashboard.get("/apps/installed/<int:id>", scope="apps:read")
async def show_installation(visit: Visit, id: int) -> Response:
    """Show an installed app, with what it has charged."""
    installation = await visit.api.get(INSTALLATION, id=id)
    return await _render(visit, installation, visit.form("PATCH", INSTALLATION, installation))


@dashboard.post("/apps/installed/<int:id>", scope="apps:write")
async def update_cap(visit: Visit, id: int) -> Response:
    """Set the most that the app's usage may cost in a month."""
    form = await visit.read_form("PATCH", INSTALLATION, id=id)
    if await form.submit() is None:
        return await _render(visit, await visit.api.get(INSTALLATION, id=id), form)
    return visit.redirect(f"/apps/installed/{id}", notice=_("Cap saved."))


@dashboard.post("/apps/installed/<int:id>/uninstall", scope="apps:write")
async def uninstall_app(visit: Visit, id: int) -> Response:
    return await visit.act("DELETE", INSTALLATION, to="/apps/installed", notice=_("App uninstalled."), id=id)


@dashboard.post("/apps/installed/<int:id>/pay", scope="apps:write")
async def pay_installation(visit: Visit, id: int) -> Response:
    """Pay what is past due."""
    path = f"{INSTALLATION}/pay"
    return await visit.act("POST", path, to=f"/apps/installed/{id}", notice=_("Paid from your wallet."), id=id)


@dashboard.post("/apps/installed/<int:id>/accept-terms", scope="apps:write")
async def accept_terms(visit: Visit, id: int) -> Response:
    """Accept the new price of an app."""
    path = f"{INSTALLATION}/accept-terms"
    return await visit.act("POST", path, to=f"/apps/installed/{id}", notice=_("New price accepted."), id=id)


async def _render(visit: Visit, installation: dict[str, Any], form: Form) -> Response:
    _describe(visit, installation)
    billing = (installation["terms"] or {}).get("billing")
    charged = None
    if billing in {"usage", "recurring"}:
        part = "usage" if billing == "usage" else "charges"
        charged = await visit.api.get(f"{INSTALLATION}/{part}", query=visit.query("page"), id=installation["id"])
    return await visit.render(
        "marketplace/dashboard/installation.html",
        installation=installation,
        form=form,
        billing=billing,
        charged=charged,
        is_embedded=await _is_embedded(visit, installation),
        currency=(installation["terms"] or {}).get("currency", ""),
        format_price=format_price,
    )


async def _is_embedded(visit: Visit, installation: dict[str, Any]) -> bool:
    if not installation["is_active"] or installation["app_id"] is None:
        return False
    app = await visit.api.get("/apps/{appId}", appId=installation["app_id"])
    return bool(app["is_embedded"])


def _describe(visit: Visit, installation: dict[str, Any]) -> None:
    installation["price_text"] = describe_price(installation["terms"]) if installation["terms"] else None
    installation["new_price_text"] = describe_price(installation["new_terms"]) if installation["new_terms"] else None
    installation["billing_text"] = describe_billing_status(installation["billing_status"])
    installation["scope_texts"] = describe_scopes(installation["scopes"])
    titles = {store.id: store.title for store in visit.stores}
    ids = installation["store_ids"]
    installation["store_titles"] = None if ids is None else [titles.get(id, str(id)) for id in ids]
