"""The forms in which a developer registers an app and changes it, with all fields of the API."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from comanda.basics import Forbidden
from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet
from comanda_webhooks import api as webhooks
from quart import Response

from comanda_marketplace.pages.dashboard import dashboard
from comanda_marketplace.pages.dashboard.app_secrets import SECRET_TEXTS, render_secrets
from comanda_marketplace.pages.dashboard.app_texts import LINK_LABELS, list_billing_kinds, list_categories, list_scopes
from comanda_marketplace.pages.dashboard.developer_apps import APP, APPS, WRITE
from comanda_marketplace.services.billing.price_terms import format_amount

EVENTS: Final = "/webhook-events"
# Addresses are written one on a line, in an input of the page.
ADDRESSES: Final = "_redirect_uris"
# For these null would mean that they stay as they are.
TEXTS: Final = ("name", "tagline", "description")


@dashboard.get("/developer/apps/new", scope=WRITE, audience=Audience.DEVELOPER, step_up=True)
async def show_new_app(visit: Visit) -> Response:
    return await _render(visit, visit.form("POST", APPS), None)


@dashboard.post("/developer/apps/new", scope=WRITE, audience=Audience.DEVELOPER, step_up=True)
async def register_app(visit: Visit) -> Response:
    """Register an app and show its secrets, this once."""
    form = await visit.read_form("POST", APPS)
    if (app := await _submit(visit, form)) is None:
        return await _render(visit, form, None)
    return await render_secrets(visit, app, {name: app[name] for name in SECRET_TEXTS})


@dashboard.get("/developer/apps/<int:app_id>/edit", scope=WRITE, audience=Audience.DEVELOPER)
async def show_app_form(visit: Visit, app_id: int) -> Response:
    """Show an app's fields to change them."""
    app = await visit.api.get(APP, appId=app_id)
    price = format_amount(Decimal(str(app["price"])), app["currency"]) if app["price"] else None
    return await _render(visit, visit.form("PATCH", APP, {**app, "price": price}), app)


@dashboard.post("/developer/apps/<int:app_id>/edit", scope=WRITE, audience=Audience.DEVELOPER)
async def update_app(visit: Visit, app_id: int) -> Response:
    app = await visit.api.get(APP, appId=app_id)
    form = await visit.read_form("PATCH", APP, appId=app_id)
    if (saved := await _submit(visit, form)) is None:
        return await _render(visit, form, app)
    notice = _("App saved.")
    if saved["status"] != app["status"]:
        notice = _("App saved. It is reviewed again, and listed as soon as it is approved.")
    return visit.redirect(f"{APPS}/{app_id}", notice=notice)


async def _submit(visit: Visit, form: Form) -> Any:
    """Send a form; afterwards it shows again what the person has written."""
    lines = (await visit.read_texts()).get(ADDRESSES, "").splitlines()
    written = {**form.values, "redirect_uris": [line.strip() for line in lines if line.strip()]}
    links = written.get("links")
    form.values = written | {name: written.get(name) or "" for name in TEXTS}
    form.values["links"] = {name: url for name, url in links.items() if url} if isinstance(links, dict) else {}
    # The price of a free app is hidden, and an empty one is none.
    if written.get("billing") == "free" or written.get("price") is None:
        form.values["price"] = 0
    saved = await form.submit()
    form.values = written
    return saved


async def _render(visit: Visit, form: Form, app: dict[str, Any] | None) -> Response:
    return await visit.render(
        "marketplace/dashboard/developer_app_form.html",
        form=form,
        app=app,
        addresses="\n".join(form.get_value("redirect_uris") or ()),
        address_errors=_list_errors(form, "redirect_uris"),
        events=await _list_events(visit, form.get_value("webhook_events") or ()),
        event_errors=_list_errors(form, "webhook_events"),
        categories=list_categories(),
        billing_kinds=list_billing_kinds(),
        scopes=list_scopes(),
        links=[(name, _(label)) for name, label in LINK_LABELS.items()],
        currency=app["currency"] if app is not None else wallet.get_currency(),
    )


async def _list_events(visit: Visit, chosen: Sequence[str]) -> list[tuple[str, str]]:
    """List the events that apps can receive with their labels, and those that are chosen already."""
    found = {}
    if visit.api.has("GET", EVENTS):
        try:
            catalog = await visit.api.get(EVENTS)
        except Forbidden:  # The plan of the developer has no webhooks, which those of an app do not need.
            catalog = {"events": []}
        found = {
            event["name"]: webhooks.describe_event(event["name"], event["description"])
            for event in catalog["events"]
            if event["scope"] in oauth.SCOPE_LABELS
        }
    return [*found.items(), *((name, webhooks.describe_event(name)) for name in chosen if name not in found)]


def _list_errors(form: Form, name: str) -> list[str]:
    """Return the errors of a list and of its members, which the page shows in one place."""
    places = [place for place in form.errors if place == name or place.startswith(f"{name}.")]
    return [text for place in places for text in form.get_field(place).errors]
