"""Apps of a developer in the dashboard: their list, and each with its review, installations and what was charged."""

from typing import Any, Final

from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from comanda_webhooks import api as webhooks
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_texts import (
    describe_category,
    describe_price,
    describe_scopes,
    describe_status,
    describe_trial,
    list_links,
)
from comanda_marketplace.services.listings.screenshots import MAX_SCREENSHOTS

APPS: Final = "/developer/apps"
APP: Final = f"{APPS}/{{appId}}"
READ: Final = "apps:read"
WRITE: Final = "apps:write"
SUBMITTABLE: Final = frozenset({"draft", "rejected", "delisted"})
WITHDRAWABLE: Final = frozenset({"submitted", "in_review", "approved"})


@dashboard.get("/developer/apps", scope=READ, audience=Audience.DEVELOPER)
async def list_own_apps(visit: Visit) -> Response:
    """Show the apps that the developer has registered, with the state of their review."""
    apps = await visit.api.get(APPS, query=visit.query("page"))
    for app in apps["data"]:
        describe_own_app(app)
    return await visit.render("marketplace/dashboard/developer_apps.html", apps=apps)


@dashboard.get("/developer/apps/<int:app_id>", scope=READ, audience=Audience.DEVELOPER)
async def show_own_app(visit: Visit, app_id: int) -> Response:
    """Show an app: its review, how many have installed it, what was charged, and what it is registered with."""
    app = await visit.api.get(APP, appId=app_id)
    describe_own_app(app)
    return await visit.render(
        "marketplace/dashboard/developer_app.html",
        app=app,
        stats=await visit.api.get(f"{APP}/stats", appId=app_id),
        listed=await visit.api.get("/apps/{appId}", appId=app_id),
        has_earnings=visit.api.has("GET", "/wallet/earnings"),
        max_screenshots=MAX_SCREENSHOTS,
    )


@dashboard.post("/developer/apps/<int:app_id>/submit", scope=WRITE, audience=Audience.DEVELOPER)
async def submit_app(visit: Visit, app_id: int) -> Response:
    """Submit an app for review."""
    notice = _("Submitted. You get an e-mail as soon as it is decided.")
    return await visit.act("POST", f"{APP}/submit", to=f"{APPS}/{app_id}", notice=notice, appId=app_id)


@dashboard.post("/developer/apps/<int:app_id>/withdraw", scope=WRITE, audience=Audience.DEVELOPER)
async def withdraw_app(visit: Visit, app_id: int) -> Response:
    """Take an app back from review or from the list."""
    notice = _("Withdrawn. The app is a draft again.")
    return await visit.act("POST", f"{APP}/withdraw", to=f"{APPS}/{app_id}", notice=notice, appId=app_id)


@dashboard.post("/developer/apps/<int:app_id>/delete", scope=WRITE, audience=Audience.DEVELOPER)
async def delete_app(visit: Visit, app_id: int) -> Response:
    """Delete an app that was never installed."""
    return await visit.act("DELETE", APP, to=APPS, notice=_("App deleted."), appId=app_id)


def describe_own_app(app: dict[str, Any]) -> None:
    """Add what the pages say of an app: its state, price, category, scopes, events and links in words."""
    app["status_text"] = describe_status(app["status"])
    app["price_text"] = describe_price(app)
    app["category_text"] = describe_category(app["category"])
    app["scope_texts"] = describe_scopes(app["scopes"])
    app["event_texts"] = [(name, webhooks.describe_event(name)) for name in app["webhook_events"]]
    app["link_texts"] = list_links(app["links"])
    app["trial_text"] = describe_trial(app["billing"], app["trial_days"])
    app["can_submit"] = app["status"] in SUBMITTABLE
    app["can_withdraw"] = app["status"] in WITHDRAWABLE
