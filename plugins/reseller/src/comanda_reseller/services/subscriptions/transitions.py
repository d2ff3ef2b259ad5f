"""Changes of subscriptions in the database: each is one row, its events, and what the customer is entitled to.

A change is written while its subscription is locked, in the transaction of everything that it causes.
"""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from comanda.accounts import set_plan
from comanda.basics import require_found
from comanda.platform.events import publish
from comanda.platform.tasks import notifier

from comanda_reseller.models import Change, Interval, Plan, Subscription, SubscriptionStatus
from comanda_reseller.services.subscriptions import grants
from comanda_reseller.services.subscriptions.lifecycle import SubscriptionState, Transition, find_next_step

QUEUE_NAME: Final = "reseller_subscriptions"
STATE_FIELDS: Final = tuple(field.name for field in fields(SubscriptionState))
# A transition changes at most one version; the claim's own columns belong to the queue.
SAVED_FIELDS: Final = (*STATE_FIELDS, "version", "next_attempt_at")


async def lock_subscription(owner_id: int, subscription_id: int) -> Subscription:
    """Return a subscription of a reseller, locked until the transaction ends. Raises ``NotFound``."""
    found = Subscription.filter(owner_id=owner_id, id=subscription_id).select_for_update(no_key=True)
    return require_found(await found.first())


def to_state(model: Subscription) -> SubscriptionState:
    """Return the state of a row."""
    values = {name: getattr(model, name) for name in STATE_FIELDS}
    paused_status = model.paused_status
    return SubscriptionState(
        **{
            **values,
            "status": SubscriptionStatus(model.status),
            "interval": Interval(model.interval),
            "paused_status": None if paused_status is None else SubscriptionStatus(paused_status),
        }
    )


async def save_transition(
    model: Subscription, transition: Transition, at: datetime, invoice_id: int | None = None, plan: Plan | None = None
) -> None:
    """Write a change of a locked subscription that was due ``at``, publish its events and set what it entitles to.

    ``plan`` spares a query if it is the plan of the subscription from now on.
    """
    previous = SubscriptionStatus(model.status) if model.version else None
    before = (model.plan_id, previous in grants.SERVED)
    _copy_state(model, transition.state)
    await model.save(update_fields=list(SAVED_FIELDS))
    if plan is None or plan.id != model.plan_id:
        plan = await Plan.get(owner_id=model.owner_id, id=model.plan_id)
    await _record_change(model, transition, previous, at, invoice_id)
    await _publish_events(model, plan, transition, previous, at)
    if previous is None or before != (model.plan_id, transition.state.status in grants.SERVED):
        await grants.apply_plan(model.owner_id, model.customer_owner_id, plan, transition.state.status)
        is_expired = transition.state.status is SubscriptionStatus.EXPIRED
        await set_plan(model.customer_owner_id, None if is_expired else plan.code)
    notifier.notify(QUEUE_NAME)


async def update_schedule(model: Subscription) -> None:
    """Set when a locked subscription is due next, if that is not what its row says."""
    step = find_next_step(to_state(model))
    due_at = None if step is None else step.at
    if model.next_attempt_at != due_at:
        model.next_attempt_at = due_at
        await model.save(update_fields=["next_attempt_at"])


def get_columns(state: SubscriptionState) -> Mapping[str, Any]:
    return {name: getattr(state, name) for name in STATE_FIELDS}


def _copy_state(model: Subscription, state: SubscriptionState) -> None:
    model.update_from_dict(dict(get_columns(state)))
    step = find_next_step(state)
    model.version += 1
    model.next_attempt_at = None if step is None else step.at


async def _record_change(
    model: Subscription,
    transition: Transition,
    previous: SubscriptionStatus | None,
    at: datetime,
    invoice_id: int | None,
) -> None:
    # The version is unique for a subscription: a step that was taken already cannot be taken again.
    await Change.create(
        owner_id=model.owner_id,
        subscription_id=model.id,
        version=model.version,
        action=transition.action,
        status=model.status,
        previous_status=previous,
        plan_id=model.plan_id,
        invoice_id=invoice_id,
        occurred_at=at,
    )


async def _publish_events(
    model: Subscription, plan: Plan, transition: Transition, previous: SubscriptionStatus | None, at: datetime
) -> None:
    for kind in transition.events:
        event = kind(
            subscription_id=model.id,
            customer_id=model.customer_owner_id,
            plan_code=plan.code,
            status=SubscriptionStatus(model.status),
            previous_status=previous,
            current_period_start=model.current_period_start,
            current_period_end=model.current_period_end,
            at=at,
        )
        for owner_id in (model.customer_owner_id, model.owner_id):
            await publish(event, owner_id=owner_id)
