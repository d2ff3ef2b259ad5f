"""Subscriptions of a reseller's customers."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_reseller.records.subscriptions import Subscription, SubscriptionHistory
from comanda_reseller.schemas.subscriptions import CancelBody, PlanChoice, SubscriptionBody, SubscriptionQuery
from comanda_reseller.services.subscriptions import subscriptions

routes = Routes("Reseller")


@routes.get("/reseller/subscriptions", scope="restaurants:read")
async def list_subscriptions(caller: Caller, query: SubscriptionQuery, page: PageRequest) -> RecordPage[Subscription]:
    """List subscriptions, newest first, 20 per page; filter by ``status``, ``customer_id`` and ``plan_code``."""
    return await subscriptions.list_subscriptions(caller, query, page)


@routes.post("/reseller/subscriptions", scope="restaurants:write")
async def start_subscription(caller: Caller, body: SubscriptionBody) -> Subscription:
    """Start a subscription: with the trial of its plan, or by collecting the first period.

    402 ``payment_required`` if the customer's wallet does not suffice, 409 if the customer has a subscription; nothing
    is stored then.
    """
    return await subscriptions.start_subscription(caller, body)


@routes.get("/reseller/subscriptions/{id}", scope="restaurants:read")
async def get_subscription(caller: Caller, id: int) -> SubscriptionHistory:
    """Return a subscription with its changes, oldest first."""
    return await subscriptions.get_subscription(caller, id)


@routes.post("/reseller/subscriptions/{id}/cancel", scope="restaurants:write", status=200)
async def cancel_subscription(caller: Caller, id: int, body: CancelBody) -> Subscription:
    """Cancel a subscription: it ends with its period, or at once with ``now``.

    One that is paused or past due has no paid period to run out and ends at once. Repeating it changes nothing.
    """
    return await subscriptions.cancel_subscription(caller, id, now=body.now)


@routes.post("/reseller/subscriptions/{id}/pause", scope="restaurants:write", status=200)
async def pause_subscription(caller: Caller, id: int) -> Subscription:
    """Pause a subscription that is trialing or active and paid; the rest of its period is kept."""
    return await subscriptions.pause_subscription(caller, id)


@routes.post("/reseller/subscriptions/{id}/resume", scope="restaurants:write", status=200)
async def resume_subscription(caller: Caller, id: int) -> Subscription:
    """Resume a paused subscription with the rest of its period, or take a cancellation back before it takes effect."""
    return await subscriptions.resume_subscription(caller, id)


@routes.post("/reseller/subscriptions/{id}/change-plan", scope="restaurants:write", status=200)
async def change_plan(caller: Caller, id: int, body: PlanChoice) -> Subscription:
    """Change the plan: a dearer one at once, with an invoice for the rest of the period, a cheaper one at its end.

    In a trial every change takes effect at once. Naming the current plan takes a change back that has not yet taken
    effect. 402 ``payment_required`` if the customer's wallet does not suffice; nothing changes then.
    """
    return await subscriptions.change_plan(caller, id, body.plan_code)
