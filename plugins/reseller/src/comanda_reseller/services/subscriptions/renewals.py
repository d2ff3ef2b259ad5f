"""The engine of subscriptions: takes the steps that are due, in their order and each in one transaction.

A step is found in the state of the subscription while its row is locked, so it is taken once, whatever runs beside it
and whenever a process dies. A clock that jumps takes every step in between, each at its own time.
"""

from collections.abc import Sequence
from datetime import datetime
from time import monotonic
from typing import Final

from comanda.basics import clock
from comanda.contracts import ClaimedRow, LeasedQueue, QueueLimits, QueueTable, QueueWork, RowResult
from comanda.platform.db import sql

from comanda_reseller.models import Plan, Subscription
from comanda_reseller.records.invoices import Period
from comanda_reseller.services.subscriptions import billing
from comanda_reseller.services.subscriptions.lifecycle import (
    Action,
    Bill,
    PlanTerms,
    Step,
    SubscriptionState,
    find_next_step,
    take_step,
)
from comanda_reseller.services.subscriptions.plans import to_terms
from comanda_reseller.services.subscriptions.transitions import (
    QUEUE_NAME,
    lock_subscription,
    save_transition,
    to_state,
    update_schedule,
)

DEADLINE_SECONDS: Final = 30.0
# A claim ends in time for its lease to hold; what is still due is claimed again.
MAX_CLAIM_SECONDS: Final = 15.0


async def advance_subscription(owner_id: int, subscription_id: int, now: datetime) -> bool:
    """Take the next step of a subscription if it is due by ``now``; return whether there was one.

    Raises ``NotFound``. Emits the step's events.
    """
    async with sql.transaction():
        model = await lock_subscription(owner_id, subscription_id)
        state = to_state(model)
        step = find_next_step(state)
        if step is None or step.at > now:
            await update_schedule(model)
            return False
        await _take(model, state, step)
    return True


async def catch_up(owner_id: int, subscription_id: int, now: datetime) -> None:
    """Take all steps of a subscription that are due by ``now``. Raises ``NotFound``."""
    while await advance_subscription(owner_id, subscription_id, now):
        pass


async def _take(model: Subscription, state: SubscriptionState, step: Step) -> None:
    plan = await Plan.get(owner_id=model.owner_id, id=state.pending_plan_id or state.plan_id)
    terms = to_terms(plan)
    bill = await _bill(model, state, step, plan, terms)
    if step.action is Action.EXPIRE:
        await billing.write_off_unpaid(model, step.at)
    transition = take_step(state, step, terms, bill)
    await save_transition(model, transition, step.at, None if bill is None else bill.invoice_id, plan)


async def _bill(model: Subscription, state: SubscriptionState, step: Step, plan: Plan, terms: PlanTerms) -> Bill | None:
    if step.action is Action.RETRY:
        return await billing.collect_again(model, step.at)
    if step.action is not Action.RENEW:
        return None
    begun = state.begin_period(terms, state.current_period_end, step.at)
    period = Period(begun.current_period_start, begun.current_period_end)
    return await billing.bill_period(model, plan, period, step.at)


async def _process(rows: Sequence[ClaimedRow]) -> list[RowResult]:
    return [await _process_row(row) for row in rows]


async def _process_row(row: ClaimedRow) -> RowResult:
    ends_at = monotonic() + MAX_CLAIM_SECONDS
    now = clock.now()
    while await advance_subscription(row.owner_id, row.id, now):
        if monotonic() > ends_at:
            return RowResult.RELEASED
    return RowResult.DONE


TABLE: Final = QueueTable(
    name="reseller_subscription",
    share_by="owner_id",
    # The steps themselves move the due time; what is left to do is to end the lease.
    done="leased_until = NULL, attempts = 0, last_error = NULL",
    error="last_error",
)
QUEUE: Final = LeasedQueue(
    QUEUE_NAME,
    TABLE,
    # Invoices of one reseller wait for each other's numbers, so more at once would only wait.
    QueueWork(_process, QueueLimits(max_in_flight=4, max_per_share=2, deadline_seconds=DEADLINE_SECONDS)),
)
