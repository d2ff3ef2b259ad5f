"""The marketplace in the dashboard: find an app, read what it may do and costs, begin to install it."""

from typing import Any

from comanda.contracts import Audience
from comanda.web.dashboard import Visit
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_texts import (
    CATEGORY_LABELS,
    describe_category,
    describe_price,
    describe_trial,
    list_categories,
    list_links,
)


@dashboard.get("/apps", scope="apps:read")
async def list_apps(visit: Visit) -> Response:
    """Show the listed apps, by category and words."""
    filters = visit.query("search", "category")
    if filters.get("category") not in CATEGORY_LABELS:
        filters.pop("category", None)
    filters |= {"search": filters["search"][:100]} if "search" in filters else {}
    apps = await visit.api.get("/apps", query=filters | visit.query("page"))
    for app in apps["data"]:
        _describe(app)
    return await visit.render(
        "marketplace/dashboard/apps.html",
        apps=apps,
        filters=filters,
        categories=list_categories(),
        is_developer=Audience.DEVELOPER in visit.person.audiences,
    )


@dashboard.get("/apps/<int:app_id>", scope="apps:read")
async def show_app(visit: Visit, app_id: int) -> Response:
    """Show an app, with what it may do in words."""
    app = await visit.api.get("/apps/{appId}", appId=app_id)
    _describe(app)
    return await visit.render("marketplace/dashboard/app.html", app=app, links=list_links(app["links"]))


def _describe(app: dict[str, Any]) -> None:
    app["price_text"] = describe_price(app)
    app["category_text"] = describe_category(app["category"])
    app["trial_text"] = describe_trial(app["billing"], app["trial_days"])
