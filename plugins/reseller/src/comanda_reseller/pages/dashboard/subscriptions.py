"""Subscriptions of a reseller's customers in the dashboard."""

from typing import Any, Final

from comanda.contracts import Audience, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.customers import READ, WRITE
from comanda_reseller.pages.dashboard.labels import SUBSCRIPTION_LABELS, list_intervals, list_labels

SUBSCRIPTIONS: Final = "/reseller/subscriptions"
SUBSCRIPTION: Final = f"{SUBSCRIPTIONS}/{{id}}"
ACTION_NOTICES: Final = {"pause": N_("Subscription paused."), "resume": N_("Subscription goes on.")}


@dashboard.get("/reseller/subscriptions", scope=READ, audience=Audience.RESELLER)
async def list_subscriptions(visit: Visit) -> Response:
    """Show the subscriptions, by state."""
    filters = visit.query("status")
    if filters.get("status") not in SUBSCRIPTION_LABELS:
        filters.pop("status", None)
    found = await visit.api.get(SUBSCRIPTIONS, query=filters | visit.query("page"))
    return await visit.render(
        "reseller/dashboard/subscriptions.html", subscriptions=found, filters=filters, intervals=dict(list_intervals()),
        **list_labels(),
    )  # fmt: skip


@dashboard.post("/reseller/subscriptions/new", scope=WRITE, audience=Audience.RESELLER)
async def start_subscription(visit: Visit) -> Response:
    """Start the subscription of a customer to a plan."""
    sent = await visit.read_texts()
    customer_id = parse_id(sent.get("customer_id")) or 0
    body: dict[str, Any] = {"customer_id": customer_id, "plan_code": sent.get("plan_code", "")}
    to = f"/reseller/customers/{customer_id}" if customer_id else "/reseller/customers"
    return await visit.act("POST", SUBSCRIPTIONS, to=to, notice=_("Subscription started."), body=body)


@dashboard.get("/reseller/subscriptions/<int:id>", scope=READ, audience=Audience.RESELLER)
async def show_subscription(visit: Visit, id: int) -> Response:
    """Show a subscription with its changes."""
    subscription = await visit.api.get(SUBSCRIPTION, id=id)
    plans = await visit.api.get("/reseller/plans", query={"active": True})
    return await visit.render(
        "reseller/dashboard/subscription.html",
        subscription=subscription,
        customer=await visit.api.get("/reseller/customers/{id}", id=subscription["customer_id"]),
        plans=[plan for plan in plans["data"] if plan["code"] != subscription["plan_code"]],
        intervals=dict(list_intervals()),
        **list_labels(),
    )


@dashboard.post("/reseller/subscriptions/<int:id>/cancel", scope=WRITE, audience=Audience.RESELLER)
async def cancel_subscription(visit: Visit, id: int) -> Response:
    """Cancel a subscription at the end of its period, or now."""
    body = {"now": (await visit.read_texts()).get("now") == "true"}
    to = f"/reseller/subscriptions/{id}"
    return await visit.act(
        "POST", f"{SUBSCRIPTION}/cancel", to=to, notice=_("Subscription cancelled."), body=body, id=id
    )


@dashboard.post("/reseller/subscriptions/<int:id>/pause", scope=WRITE, audience=Audience.RESELLER)
async def pause_subscription(visit: Visit, id: int) -> Response:
    return await _act(visit, id, "pause")


@dashboard.post("/reseller/subscriptions/<int:id>/resume", scope=WRITE, audience=Audience.RESELLER)
async def resume_subscription(visit: Visit, id: int) -> Response:
    """Resume a subscription, or take its cancellation back."""
    return await _act(visit, id, "resume")


@dashboard.post("/reseller/subscriptions/<int:id>/change-plan", scope=WRITE, audience=Audience.RESELLER)
async def change_plan(visit: Visit, id: int) -> Response:
    body = {"plan_code": (await visit.read_texts()).get("plan_code", "")}
    to = f"/reseller/subscriptions/{id}"
    return await visit.act("POST", f"{SUBSCRIPTION}/change-plan", to=to, notice=_("Plan changed."), body=body, id=id)


async def _act(visit: Visit, id: int, action: str) -> Response:
    to = f"/reseller/subscriptions/{id}"
    return await visit.act("POST", f"{SUBSCRIPTION}/{action}", to=to, notice=_(ACTION_NOTICES[action]), id=id)
