"""Endpoints of webhooks in the dashboard: create, test, pause, rotate, replay."""

from typing import Any, Final

import orjson
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_webhooks.services.event_labels import describe_event, list_groups

dashboard: Final = DashboardPages("webhooks", __name__)

ENDPOINTS: Final = "/webhook-endpoints"
ENDPOINT: Final = f"{ENDPOINTS}/{{id}}"
EVENTS: Final = "/webhook-events"
DELIVERIES: Final = f"{ENDPOINT}/deliveries"
DELIVERY: Final = f"{DELIVERIES}/{{deliveryId}}"
MAX_LISTED_EVENTS: Final = 3


@dashboard.get("/webhooks", scope="webhooks:read")
async def list_endpoints(visit: Visit) -> Response:
    """Show the endpoints and how they do."""
    endpoints = await visit.api.get(ENDPOINTS, query=visit.query("page"))
    for endpoint in endpoints["data"]:
        endpoint["summary"] = _summarize(endpoint["events"])
    return await visit.render("webhooks/dashboard/endpoints.html", endpoints=endpoints)


@dashboard.get("/webhooks/events", scope="webhooks:read")
async def list_events(visit: Visit) -> Response:
    """Show the events with samples of what is sent."""
    catalog = await visit.api.get(EVENTS)
    for event in catalog["events"]:
        event["label"] = describe_event(event["name"], event["description"])
        event["sample_text"] = _to_text(event["sample"])
    return await visit.render("webhooks/dashboard/events.html", events=catalog["events"])


@dashboard.get("/webhooks/new", scope="webhooks:write", step_up=True)
async def show_new_endpoint(visit: Visit) -> Response:
    """Show the form of a new endpoint."""
    return await _render_form(visit, visit.form("POST", ENDPOINTS), None)


@dashboard.post("/webhooks/new", scope="webhooks:write", step_up=True)
async def create_endpoint(visit: Visit) -> Response:
    """Create an endpoint and show its secret, this once."""
    form = await visit.read_form("POST", ENDPOINTS)
    if (endpoint := await form.submit()) is None:
        return await _render_form(visit, form, None)
    return await visit.render("webhooks/dashboard/secret.html", endpoint=endpoint, old_until=None)


@dashboard.get("/webhooks/<int:endpoint_id>", scope="webhooks:read")
async def show_endpoint(visit: Visit, endpoint_id: int) -> Response:
    """Show an endpoint with its log."""
    return await _render_endpoint(visit, endpoint_id, visit.form("POST", f"{ENDPOINT}/replay", {"status": "failed"}))


@dashboard.get("/webhooks/<int:endpoint_id>/edit", scope="webhooks:write")
async def show_endpoint_form(visit: Visit, endpoint_id: int) -> Response:
    """Show where an endpoint is and what it receives, to change it."""
    endpoint = await visit.api.get(ENDPOINT, id=endpoint_id)
    return await _render_form(visit, visit.form("PATCH", ENDPOINT, endpoint), endpoint_id)


@dashboard.post("/webhooks/<int:endpoint_id>/edit", scope="webhooks:write")
async def update_endpoint(visit: Visit, endpoint_id: int) -> Response:
    """Save where an endpoint is and what it receives."""
    form = await visit.read_form("PATCH", ENDPOINT, id=endpoint_id)
    if await form.submit() is None:
        return await _render_form(visit, form, endpoint_id)
    return visit.redirect(f"/webhooks/{endpoint_id}", notice=_("Endpoint saved."))


@dashboard.post("/webhooks/<int:endpoint_id>/pause", scope="webhooks:write")
async def pause_endpoint(visit: Visit, endpoint_id: int) -> Response:
    """Pause or resume an endpoint."""
    is_paused = (await visit.read_texts()).get("paused") == "true"
    notice = _("Endpoint paused. Deliveries wait.") if is_paused else _("Endpoint resumed.")
    page = f"/webhooks/{endpoint_id}"
    return await visit.act("PATCH", ENDPOINT, to=page, notice=notice, body={"paused": is_paused}, id=endpoint_id)


@dashboard.post("/webhooks/<int:endpoint_id>/test", scope="webhooks:write")
async def send_ping(visit: Visit, endpoint_id: int) -> Response:
    """Send a test event."""
    page = f"/webhooks/{endpoint_id}"
    notice = _("Test sent. It appears in the log.")
    return await visit.act("POST", f"{ENDPOINT}/test", to=page, notice=notice, id=endpoint_id)


@dashboard.post("/webhooks/<int:endpoint_id>/rotate-secret", scope="webhooks:write", step_up=True)
async def rotate_secret(visit: Visit, endpoint_id: int) -> Response:
    """Replace the secret and show the new one, this once."""
    rotated = await visit.api.post(f"{ENDPOINT}/rotate-secret", id=endpoint_id)
    endpoint = {**await visit.api.get(ENDPOINT, id=endpoint_id), **rotated}
    old_until = rotated["old_secret_expires_at"]
    return await visit.render("webhooks/dashboard/secret.html", endpoint=endpoint, old_until=old_until)


@dashboard.post("/webhooks/<int:endpoint_id>/replay", scope="webhooks:write")
async def replay_deliveries(visit: Visit, endpoint_id: int) -> Response:
    """Send failed deliveries, or all, again since a time."""
    form = await visit.read_form("POST", f"{ENDPOINT}/replay", id=endpoint_id)
    if (replay := await form.submit()) is None:
        return await _render_endpoint(visit, endpoint_id, form)
    notice = _("%(count)s deliveries are sent again.", count=replay["replayed"])
    if replay["has_more"]:
        notice = _("%(count)s deliveries are sent again. There are more: replay once more.", count=replay["replayed"])
    return visit.redirect(f"/webhooks/{endpoint_id}", notice=notice)


@dashboard.post("/webhooks/<int:endpoint_id>/delete", scope="webhooks:write")
async def delete_endpoint(visit: Visit, endpoint_id: int) -> Response:
    """Delete an endpoint with its log."""
    return await visit.act("DELETE", ENDPOINT, to="/webhooks", notice=_("Endpoint deleted."), id=endpoint_id)


@dashboard.get("/webhooks/<int:endpoint_id>/deliveries/<int:delivery_id>", scope="webhooks:read")
async def show_delivery(visit: Visit, endpoint_id: int, delivery_id: int) -> Response:
    """Show what was sent, and what the receiver answered at each attempt."""
    delivery = await visit.api.get(DELIVERY, id=endpoint_id, deliveryId=delivery_id)
    endpoint = await visit.api.get(ENDPOINT, id=endpoint_id)
    return await visit.render(
        "webhooks/dashboard/delivery.html",
        delivery=delivery,
        endpoint=endpoint,
        event_label=describe_event(delivery["event"]),
        payload=None if delivery["payload"] is None else _to_text(delivery["payload"]),
    )


@dashboard.post("/webhooks/<int:endpoint_id>/deliveries/<int:delivery_id>/redeliver", scope="webhooks:write")
async def redeliver(visit: Visit, endpoint_id: int, delivery_id: int) -> Response:
    """Send a delivery again."""
    path = f"{DELIVERY}/redeliver"
    page = f"/webhooks/{endpoint_id}"
    notice = _("The delivery is sent again.")
    return await visit.act("POST", path, to=page, notice=notice, id=endpoint_id, deliveryId=delivery_id)


async def _render_form(visit: Visit, form: Form, endpoint_id: int | None) -> Response:
    chosen = form.get_value("events") or []
    groups = list_groups(await visit.api.get(EVENTS), chosen)
    return await visit.render(
        "webhooks/dashboard/endpoint_form.html",
        form=form,
        groups=groups,
        is_everything="*" in chosen,
        endpoint_id=endpoint_id,
    )


async def _render_endpoint(visit: Visit, endpoint_id: int, form: Form) -> Response:
    filters = visit.query("status", "event", "page")
    deliveries = await visit.api.get(DELIVERIES, id=endpoint_id, query=filters)
    for delivery in deliveries["data"]:
        delivery["label"] = describe_event(delivery["event"])
    endpoint: Any = await visit.api.get(ENDPOINT, id=endpoint_id)
    return await visit.render(
        "webhooks/dashboard/endpoint.html",
        endpoint=endpoint,
        summary=_summarize(endpoint["events"]),
        deliveries=deliveries,
        filters=filters,
        form=form,
    )


def _to_text(document: object) -> str:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()


def _summarize(patterns: list[str]) -> str:
    if "*" in patterns:
        return _("Everything")
    shown = [describe_event(pattern) for pattern in patterns[:MAX_LISTED_EVENTS]]
    if len(patterns) > MAX_LISTED_EVENTS:
        shown.append(_("%(count)s more", count=len(patterns) - MAX_LISTED_EVENTS))
    return " · ".join(shown)
