"""Subscriptions as resellers manage them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from comanda.basics import Conflict, PaymentRequired, ValidationFailed, clock, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_reseller import models
from comanda_reseller.models import Customer, Plan, SubscriptionStatus
from comanda_reseller.records.invoices import Collection, Period
from comanda_reseller.records.subscriptions import Subscription, SubscriptionHistory
from comanda_reseller.schemas.subscriptions import SubscriptionBody, SubscriptionQuery
from comanda_reseller.services.resellers.accounts import require_account
from comanda_reseller.services.subscriptions import billing, interventions, lifecycle, plans, subscription_rows
from comanda_reseller.services.subscriptions.lifecycle import Action, Bill, SubscriptionState, Transition
from comanda_reseller.services.subscriptions.renewals import catch_up
from comanda_reseller.services.subscriptions.transitions import (
    get_columns,
    lock_subscription,
    save_transition,
    to_state,
)

LOCK_CUSTOMER: Final = "SELECT id FROM reseller_customer WHERE owner_id = $1 AND customer_owner_id = $2 FOR UPDATE"


@dataclass(frozen=True, slots=True)
class Intervention:
    """A subscription that is locked and up to date, for a person to change."""

    model: models.Subscription
    state: SubscriptionState
    at: datetime


Decide = Callable[[Intervention], Awaitable[None]]


async def list_subscriptions(caller: Caller, query: SubscriptionQuery, page: PageRequest) -> RecordPage[Subscription]:
    """List the subscriptions of a reseller's customers, newest first. Raises ``Forbidden`` unless it is one."""
    await require_account(caller)
    return await subscription_rows.list_page(caller.owner_id, query, page)


async def get_subscription(caller: Caller, subscription_id: int) -> SubscriptionHistory:
    """Return a subscription with its changes. Raises ``Forbidden`` unless the caller is a reseller, ``NotFound``."""
    await require_account(caller)
    found = await subscription_rows.get_subscription(caller.owner_id, subscription_id)
    history = await subscription_rows.list_changes(caller.owner_id, found.id)
    return extend_record(SubscriptionHistory, found, history=history)


async def start_subscription(caller: Caller, body: SubscriptionBody) -> Subscription:
    """Start a subscription of a customer, with its trial or by collecting its first period.

    Raises ``Forbidden`` unless the caller is a reseller; ``ValidationFailed`` for an unknown customer or a plan that is
    not offered; ``Conflict`` if the customer has a subscription; ``PaymentRequired`` if its wallet does not suffice.
    """
    await require_account(caller)
    async with sql.transaction():
        customer = await Customer.get_or_none(owner_id=caller.owner_id, customer_owner_id=body.customer_id)
        if customer is None:
            raise ValidationFailed(customer_id=[f"There is no customer {body.customer_id}."])
        plan = await plans.find_active_plan(caller.owner_id, body.plan_code)
        # Of two requests at once, the second finds the subscription of the first.
        await sql.execute(LOCK_CUSTOMER, caller.owner_id, body.customer_id)
        await _check_unsubscribed(caller, body.customer_id)
        trial_days = plan.trial_days if body.trial_days is None else body.trial_days
        subscription_id = await begin_subscription(customer, plan, trial_days, clock.now())
    return await subscription_rows.get_subscription(caller.owner_id, subscription_id)


async def begin_subscription(customer: Customer, plan: Plan, trial_days: int, at: datetime) -> int:
    """Begin a subscription at a moment, in the open transaction, and return its id.

    The customer is locked and has none. Raises ``PaymentRequired`` if its wallet does not suffice.
    """
    terms = plans.to_terms(plan)
    begun = lifecycle.start(terms, trial_days, at, None)
    model = models.Subscription(
        owner_id=customer.owner_id,
        customer_owner_id=customer.customer_owner_id,
        currency=plan.currency,
        created_at=at,
        **get_columns(begun.state),
    )
    await model.save()
    bill = None
    if not trial_days:
        period = Period(begun.state.current_period_start, begun.state.current_period_end)
        bill = _require_collected(await billing.bill_period(model, plan, period, at))
    started = lifecycle.start(terms, trial_days, at, bill)
    await save_transition(model, started, at, None if bill is None else bill.invoice_id)
    return int(model.id)


async def pause_subscription(caller: Caller, subscription_id: int) -> Subscription:
    """Pause a subscription; repeating it changes nothing. Raises ``Forbidden``, ``NotFound`` and ``Conflict``.

    Emits ``SubscriptionPaused``.
    """

    async def decide(found: Intervention) -> None:
        if found.state.status is not SubscriptionStatus.PAUSED:
            await save_transition(found.model, interventions.pause(found.state, found.at), found.at)

    return await _intervene(caller, subscription_id, decide)


async def resume_subscription(caller: Caller, subscription_id: int) -> Subscription:
    """Resume a paused subscription, or take a cancellation back. Raises ``Forbidden``, ``NotFound``, ``Conflict``.

    Emits ``SubscriptionResumed``. A subscription that runs stays as it is.
    """

    async def decide(found: Intervention) -> None:
        if found.state.status not in interventions.RUNNING:
            await save_transition(found.model, interventions.resume(found.state, found.at), found.at)

    return await _intervene(caller, subscription_id, decide)


async def cancel_subscription(caller: Caller, subscription_id: int, *, now: bool) -> Subscription:
    """Cancel a subscription at the end of its period, or ``now``. Raises ``Forbidden``, ``NotFound``, ``Conflict``.

    Emits ``SubscriptionExpired`` if it ends at once. Repeating it changes nothing.
    """

    async def decide(found: Intervention) -> None:
        if found.state.status is SubscriptionStatus.EXPIRED and found.state.cancelled_at is not None:
            return
        transition = interventions.cancel(found.state, found.at, now=now)
        if transition is None:
            return
        if transition.action is Action.EXPIRE:
            await billing.write_off_unpaid(found.model, found.at)
        await save_transition(found.model, transition, found.at)

    return await _intervene(caller, subscription_id, decide)


async def change_plan(caller: Caller, subscription_id: int, plan_code: str) -> Subscription:
    """Change the plan: at once in a trial or for a dearer plan, whose rest of the period is collected, else later.

    Raises ``Forbidden`` unless the caller is a reseller, ``NotFound``, ``ValidationFailed`` for a plan that is not
    offered, ``Conflict`` unless the subscription runs and is paid, ``PaymentRequired`` if the wallet does not suffice.
    Emits ``SubscriptionPlanChanged`` when it takes effect.
    """

    async def decide(found: Intervention) -> None:
        plan = await plans.find_active_plan(caller.owner_id, plan_code)
        transition = interventions.change_plan(found.state, plans.to_terms(plan), found.at)
        bill = await _bill_change(found, plan, transition)
        if bill is not None:
            transition = replace(transition, state=lifecycle.owe(transition.state, bill))
        await save_transition(found.model, transition, found.at, None if bill is None else bill.invoice_id)

    return await _intervene(caller, subscription_id, decide)


async def _intervene(caller: Caller, subscription_id: int, decide: Decide) -> Subscription:
    """Change a subscription for a person, once all steps that are due have been taken."""
    await require_account(caller)
    while not await _try_to_intervene(caller.owner_id, subscription_id, decide):
        pass
    return await subscription_rows.get_subscription(caller.owner_id, subscription_id)


async def _try_to_intervene(owner_id: int, subscription_id: int, decide: Decide) -> bool:
    await catch_up(owner_id, subscription_id, clock.now())
    async with sql.transaction():
        model = await lock_subscription(owner_id, subscription_id)
        state, at = to_state(model), clock.now()
        step = lifecycle.find_next_step(state)
        if step is not None and step.at <= at:
            return False
        await decide(Intervention(model, state, max(at, state.updated_at)))
    return True


async def _check_unsubscribed(caller: Caller, customer_id: int) -> None:
    running = models.Subscription.filter(owner_id=caller.owner_id, customer_owner_id=customer_id).exclude(
        status=SubscriptionStatus.EXPIRED
    )
    if (found := await running.first()) is not None:
        raise Conflict(
            "This customer has a subscription already.",
            extras={"reason": "already_subscribed", "subscription_id": found.id},
        )


async def _bill_change(found: Intervention, plan: Plan, transition: Transition) -> Bill | None:
    if transition.action is not Action.CHANGE_PLAN or found.state.status is not SubscriptionStatus.ACTIVE:
        return None
    old = await Plan.get(owner_id=found.model.owner_id, id=found.state.plan_id)
    proration = interventions.prorate_change(found.state, plans.to_terms(plan), found.at)
    period = Period(found.at, transition.state.current_period_end)
    return _require_collected(await billing.bill_plan_change(found.model, old, plan, proration, period, found.at))


def _require_collected(bill: Bill | None) -> Bill | None:
    """Return a bill that is paid or will be. Raises ``PaymentRequired``, which undoes the whole change."""
    if bill is not None and bill.collection is Collection.FAILED:
        raise PaymentRequired("The wallet of this customer does not cover the invoice.")
    return bill
