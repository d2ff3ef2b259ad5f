"""Apps of a developer in the dashboard: registration, listing, review, secrets, and what they earned."""

from typing import Any, Final

from comanda.contracts.dashboard import Audience
from comanda.errors import Conflict
from comanda.web.dashboard import Visit, get_sentence
from comanda.web.dashboard_forms import Form
from comanda.web.translations import gettext as _
from comanda_oauth import api as oauth
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_texts import (
    BILLING_KIND_LABELS,
    LINK_LABELS,
    describe_category,
    describe_price,
    describe_status,
    list_categories,
)

APPS: Final = "/developer/apps"
EVENTS: Final = "/webhook-events"
APP: Final = f"{APPS}/{{appId}}"
# Fields that a developer may empty; any other that is left empty keeps its value.
REMOVABLE: Final = frozenset({"embed_url", "webhook_url", "contact_email"})
SUBMITTABLE: Final = frozenset({"draft", "rejected", "delisted"})
WITHDRAWABLE: Final = frozenset({"submitted", "in_review", "approved"})


@dashboard.get("/developer/apps", scope="apps:read", audience=Audience.DEVELOPER)
async def list_developer_apps(visit: Visit) -> Response:
    """Show the apps that the developer has registered, with the state of each."""
    apps = await visit.api.get(APPS, query=visit.query("page"))
    for app in apps["data"]:
        _describe(app)
    return await visit.render("marketplace/dashboard/developer_apps.html", apps=apps)


@dashboard.get("/developer/apps/new", scope="apps:write", audience=Audience.DEVELOPER)
async def show_new_app(visit: Visit) -> Response:
    """Show the form of a new app."""
    return await _render_form(visit, visit.form("POST", APPS), None)


@dashboard.post("/developer/apps/new", scope="apps:write", audience=Audience.DEVELOPER, step_up=True)
async def register_app(visit: Visit) -> Response:
    """Register an app and show its secrets, this once."""
    form = await visit.read_form("POST", APPS)
    _drop_empty(form)
    app = await form.submit()
    if app is None:
        return await _render_form(visit, form, None)
    secrets = [(_("Client secret"), app["client_secret"]), (_("Signing secret of webhooks"), app["webhook_secret"])]
    return await visit.render("marketplace/dashboard/app_secrets.html", app=app, secrets=secrets, old_until=None)


@dashboard.get("/developer/apps/<int:app_id>", scope="apps:read", audience=Audience.DEVELOPER)
async def show_developer_app(visit: Visit, app_id: int) -> Response:
    """Show an app: its state, its keys, who uses it in numbers, and how it is listed."""
    app = await visit.api.get(APP, appId=app_id)
    _describe(app)
    return await visit.render(
        "marketplace/dashboard/developer_app.html",
        app=app,
        totals=await visit.api.get(f"{APP}/stats", appId=app_id),
        scopes=[(scope, label) for scope, label in _list_scopes() if scope in app["scopes"]],
        has_earnings=visit.api.has("GET", "/wallet/earnings"),
        is_submittable=app["status"] in SUBMITTABLE,
        is_withdrawable=app["status"] in WITHDRAWABLE,
    )


@dashboard.get("/developer/apps/<int:app_id>/edit", scope="apps:write", audience=Audience.DEVELOPER)
async def show_app_form(visit: Visit, app_id: int) -> Response:
    """Show the form of an app."""
    app = await visit.api.get(APP, appId=app_id)
    return await _render_form(visit, visit.form("PATCH", APP, app), app)


@dashboard.post("/developer/apps/<int:app_id>/edit", scope="apps:write", audience=Audience.DEVELOPER)
async def update_app(visit: Visit, app_id: int) -> Response:
    """Save an app."""
    form = await visit.read_form("PATCH", APP, appId=app_id)
    _drop_empty(form)
    if await form.submit() is None:
        return await _render_form(visit, form, await visit.api.get(APP, appId=app_id))
    return visit.redirect(f"/developer/apps/{app_id}", notice=_("App saved."))


@dashboard.post("/developer/apps/<int:app_id>/submit", scope="apps:write", audience=Audience.DEVELOPER)
async def submit_app(visit: Visit, app_id: int) -> Response:
    """Submit an app for review."""
    notice = _("Submitted. You get an e-mail with the decision.")
    return await visit.act("POST", f"{APP}/submit", to=f"/developer/apps/{app_id}", notice=notice, appId=app_id)


@dashboard.post("/developer/apps/<int:app_id>/withdraw", scope="apps:write", audience=Audience.DEVELOPER)
async def withdraw_app(visit: Visit, app_id: int) -> Response:
    """Take an app back from review or from the directory."""
    notice = _("The app is a draft again.")
    return await visit.act("POST", f"{APP}/withdraw", to=f"/developer/apps/{app_id}", notice=notice, appId=app_id)


@dashboard.post("/developer/apps/<int:app_id>/delete", scope="apps:write", audience=Audience.DEVELOPER)
async def delete_app(visit: Visit, app_id: int) -> Response:
    """Delete an app that was never installed."""
    try:
        await visit.api.delete(APP, appId=app_id)
    except Conflict as error:
        return visit.redirect(f"/developer/apps/{app_id}", problem=get_sentence(error))
    return visit.redirect("/developer/apps", notice=_("App deleted."))


@dashboard.post(
    "/developer/apps/<int:app_id>/rotate-secret", scope="apps:write", audience=Audience.DEVELOPER, step_up=True
)
async def rotate_client_secret(visit: Visit, app_id: int) -> Response:
    """Replace the client secret and show the new one, this once."""
    rotated = await visit.api.post(f"{APP}/rotate-secret", appId=app_id)
    return await _render_rotated(visit, app_id, _("Client secret"), rotated)


@dashboard.post(
    "/developer/apps/<int:app_id>/rotate-webhook-secret", scope="apps:write", audience=Audience.DEVELOPER, step_up=True
)
async def rotate_webhook_secret(visit: Visit, app_id: int) -> Response:
    """Replace the signing secret of webhooks and show the new one, this once."""
    rotated = await visit.api.post(f"{APP}/rotate-webhook-secret", appId=app_id)
    return await _render_rotated(visit, app_id, _("Signing secret of webhooks"), rotated)


async def _render_rotated(visit: Visit, app_id: int, label: str, rotated: dict[str, Any]) -> Response:
    return await visit.render(
        "marketplace/dashboard/app_secrets.html",
        app=await visit.api.get(APP, appId=app_id),
        secrets=[(label, rotated["secret"])],
        old_until=rotated["old_secret_expires_at"],
    )


async def _render_form(visit: Visit, form: Form, app: dict[str, Any] | None) -> Response:
    known = await _list_events(visit)
    chosen = form.get_value("webhook_events") or []
    return await visit.render(
        "marketplace/dashboard/developer_app_form.html",
        form=form,
        app=app,
        addresses=[*(form.get_value("redirect_uris") or []), ""],
        events=[*known, *(name for name in chosen if name not in known)],
        scopes=_list_scopes(),
        categories=list_categories(),
        billings=[(name, _(label)) for name, label in BILLING_KIND_LABELS.items()],
        links=[(name, _(label)) for name, label in LINK_LABELS.items()],
    )


async def _list_events(visit: Visit) -> list[str]:
    """List the events that webhooks can receive, with their groups; nothing if webhooks are not installed."""
    if not visit.api.has("GET", EVENTS):
        return []
    catalog = await visit.api.get(EVENTS)
    return [*(f"{group}.*" for group in catalog["groups"]), *(event["name"] for event in catalog["events"])]


def _drop_empty(form: Form) -> None:
    """Leave out what was left empty, unless emptying it removes it."""
    form.values = {name: value for name, value in form.values.items() if value is not None or name in REMOVABLE}
    if isinstance(links := form.values.get("links"), dict):
        form.values["links"] = {name: address for name, address in links.items() if address}


def _list_scopes() -> list[tuple[str, str]]:
    return [(scope, _(label)) for scope, label in oauth.SCOPE_LABELS.items()]


def _describe(app: dict[str, Any]) -> None:
    app["status_text"] = describe_status(app["status"])
    app["price_text"] = describe_price(app)
    app["category_text"] = describe_category(app["category"])
