"""The states of a subscription and the steps that time takes it through, without a database.

``find_next_step`` returns the next step and the moment at which it is due; ``take_step`` returns the state after it.
Their caller carries out what a step needs, such as collecting an invoice, and passes the result in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final, Self

from comanda_reseller.events import (
    SubscriptionEvent,
    SubscriptionExpired,
    SubscriptionExpiring,
    SubscriptionPastDue,
    SubscriptionPlanChanged,
    SubscriptionRenewed,
    SubscriptionTrialEnding,
)
from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.records.invoices import Collection
from comanda_reseller.services.subscriptions.periods import add_periods

NOTICE: Final = timedelta(days=3)
RETRY_DAYS: Final = (1, 3, 5, 7)
GRACE: Final = timedelta(days=14)


class Action(StrEnum):
    """What happens to a subscription."""

    START = "start"
    TRIAL_ENDING = "trial_ending"
    RENEW = "renew"
    OVERDUE = "overdue"
    RETRY = "retry"
    PAY = "pay"
    EXPIRING = "expiring"
    EXPIRE = "expire"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    CHANGE_PLAN = "change_plan"
    SCHEDULE_PLAN = "schedule_plan"


NOTICES: Final = {Action.TRIAL_ENDING: SubscriptionTrialEnding, Action.EXPIRING: SubscriptionExpiring}


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """What a period of a plan costs and how long it is."""

    plan_id: int
    price_minor: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class SubscriptionState:
    """All that decides what happens next; the names are those of the columns of ``Subscription``.

    ``updated_at`` is when the last change was due: no step is earlier.
    """

    status: SubscriptionStatus
    plan_id: int
    pending_plan_id: int | None
    price_minor: int
    interval: Interval
    anchor_at: datetime
    period_number: int
    current_period_start: datetime
    current_period_end: datetime
    updated_at: datetime
    trial_ends_at: datetime | None = None
    is_notice_sent: bool = False
    cancelled_at: datetime | None = None
    paused_at: datetime | None = None
    paused_status: SubscriptionStatus | None = None
    remaining_seconds: Decimal | None = None
    payment_due_at: datetime | None = None
    past_due_at: datetime | None = None
    retries: int = 0
    open_invoice_id: int | None = None
    activated_at: datetime | None = None
    ended_at: datetime | None = None

    def begin_period(self, terms: PlanTerms, starts_at: datetime, at: datetime) -> Self:
        """Return the state in the next period, on these terms, as changed ``at`` this moment.

        Another interval, and the first period of all, count their periods anew from ``starts_at``.
        """
        continues = terms.interval is self.interval and self.period_number > 0
        anchor, number = (self.anchor_at, self.period_number) if continues else (starts_at, 0)
        return replace(
            self,
            plan_id=terms.plan_id,
            pending_plan_id=None,
            price_minor=terms.price_minor,
            interval=terms.interval,
            anchor_at=anchor,
            period_number=number + 1,
            current_period_start=starts_at,
            current_period_end=add_periods(anchor, terms.interval, number + 1),
            is_notice_sent=False,
            updated_at=at,
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A step that is due at a moment."""

    action: Action
    at: datetime


@dataclass(frozen=True, slots=True)
class Bill:
    """How the invoice of a step was collected: a pending one has to be paid until ``due_at``."""

    collection: Collection
    invoice_id: int | None
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Transition:
    """The state after a change, and the events of it in their order."""

    action: Action
    state: SubscriptionState
    events: Sequence[type[SubscriptionEvent]] = ()


def start(terms: PlanTerms, trial_days: int, at: datetime, bill: Bill | None) -> Transition:
    """Return a new subscription: in its trial, or in its first period, for which there is a bill."""
    status = SubscriptionStatus.TRIALING if trial_days else SubscriptionStatus.ACTIVE
    ends_at = at + timedelta(days=trial_days)
    state = SubscriptionState(
        status=status,
        plan_id=terms.plan_id,
        pending_plan_id=None,
        price_minor=terms.price_minor,
        interval=terms.interval,
        anchor_at=at,
        period_number=0,
        current_period_start=at,
        current_period_end=ends_at,
        updated_at=at,
    )
    if trial_days:
        return Transition(Action.START, replace(state, trial_ends_at=ends_at))
    begun = replace(state.begin_period(terms, at, at), activated_at=at)
    return Transition(Action.START, begun if bill is None else owe(begun, bill))


def find_next_step(state: SubscriptionState) -> Step | None:
    """Return the next step that time brings, or None for a subscription that is paused or has expired."""
    match state.status:
        case SubscriptionStatus.TRIALING:
            step = _find_end(state, Action.TRIAL_ENDING, Action.RENEW)
        case SubscriptionStatus.CANCELLED:
            step = _find_end(state, Action.EXPIRING, Action.EXPIRE)
        case SubscriptionStatus.ACTIVE if state.payment_due_at is not None:
            step = Step(Action.OVERDUE, min(state.payment_due_at, state.current_period_end))
        case SubscriptionStatus.ACTIVE:
            step = Step(Action.RENEW, state.current_period_end)
        case SubscriptionStatus.PAST_DUE if state.past_due_at is not None:
            step = _find_retry(state.past_due_at, state.retries)
        case _:
            return None
    return replace(step, at=max(step.at, state.updated_at))


def take_step(state: SubscriptionState, step: Step, terms: PlanTerms, bill: Bill | None) -> Transition:
    """Return the state after a step. ``terms`` are those of the next period, ``bill`` that of a step that needs one."""
    match step.action:
        case Action.RENEW:
            return _renew(state, step, terms, bill)
        case Action.EXPIRE:
            return expire(state, step.at)
        case Action.OVERDUE:
            return Transition(step.action, _fall_behind(state, step.at), (SubscriptionPastDue,))
        case Action.RETRY if bill is not None and bill.collection is Collection.PAID:
            return pay(state, step.at)
        case Action.RETRY:
            return Transition(step.action, replace(state, retries=state.retries + 1, updated_at=step.at))
    noticed = replace(state, is_notice_sent=True, updated_at=step.at)
    return Transition(step.action, noticed, (NOTICES[step.action],))


def pay(state: SubscriptionState, at: datetime) -> Transition:
    """Return the state once the open invoice is paid: active again if it was past due."""
    moment = max(at, state.updated_at)
    paid = replace(state, payment_due_at=None, past_due_at=None, retries=0, open_invoice_id=None, updated_at=moment)
    if state.status is not SubscriptionStatus.PAST_DUE:
        return Transition(Action.PAY, paid)
    active = replace(paid, status=SubscriptionStatus.ACTIVE, activated_at=state.activated_at or moment)
    return Transition(Action.PAY, active, (SubscriptionRenewed,))


def expire(state: SubscriptionState, at: datetime) -> Transition:
    """Return the end of a subscription."""
    ended = replace(
        state,
        status=SubscriptionStatus.EXPIRED,
        pending_plan_id=None,
        paused_at=None,
        paused_status=None,
        remaining_seconds=None,
        payment_due_at=None,
        past_due_at=None,
        ended_at=at,
        updated_at=at,
    )
    return Transition(Action.EXPIRE, ended, (SubscriptionExpired,))


def _find_end(state: SubscriptionState, notice: Action, end: Action) -> Step:
    if not state.is_notice_sent:
        return Step(notice, state.current_period_end - NOTICE)
    return Step(end, state.current_period_end)


def _find_retry(past_due_at: datetime, retries: int) -> Step:
    if retries < len(RETRY_DAYS):
        return Step(Action.RETRY, past_due_at + timedelta(days=RETRY_DAYS[retries]))
    return Step(Action.EXPIRE, past_due_at + GRACE)


def _renew(state: SubscriptionState, step: Step, terms: PlanTerms, bill: Bill | None) -> Transition:
    begun = state.begin_period(terms, state.current_period_end, step.at)
    owing = begun if bill is None else owe(begun, bill)
    changed = (SubscriptionPlanChanged,) if terms.plan_id != state.plan_id else ()
    if bill is not None and bill.collection is Collection.FAILED:
        return Transition(step.action, _fall_behind(owing, step.at), (*changed, SubscriptionPastDue))
    active = replace(owing, status=SubscriptionStatus.ACTIVE, activated_at=state.activated_at or step.at)
    return Transition(step.action, active, (*changed, SubscriptionRenewed))


def owe(state: SubscriptionState, bill: Bill) -> SubscriptionState:
    """Return the state with a bill that is still to be paid, or as it is if the bill is paid."""
    if bill.collection is Collection.PAID:
        return state
    return replace(state, open_invoice_id=bill.invoice_id, payment_due_at=bill.due_at)


def _fall_behind(state: SubscriptionState, at: datetime) -> SubscriptionState:
    return replace(
        state, status=SubscriptionStatus.PAST_DUE, payment_due_at=None, past_due_at=at, retries=0, updated_at=at
    )
