"""What people do to a subscription: pausing, resuming, cancelling and changing the plan, without a database."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from comanda.basics import Conflict, round_half_up

from comanda_reseller.events import SubscriptionPaused, SubscriptionPlanChanged, SubscriptionResumed
from comanda_reseller.models import SubscriptionStatus
from comanda_reseller.services.subscriptions.lifecycle import Action, PlanTerms, SubscriptionState, Transition, expire
from comanda_reseller.services.subscriptions.periods import scale_to_month

MICROSECOND: Final = timedelta(microseconds=1)
RUNNING = frozenset({SubscriptionStatus.TRIALING, SubscriptionStatus.ACTIVE})


def prorate(amount_minor: int, remaining: timedelta, period: timedelta) -> int:
    """Return the share of a period's price for the rest of the period, rounded half up.

    The credit for an old plan and the charge for a new one are both this share, so a change that is undone at the same
    moment costs nothing, and what was used of a plan is its price less the share at the time it ended. Nothing before
    the period or after it counts. Raises ``ValueError`` for a period that is not positive.
    """
    if period <= timedelta():
        raise ValueError(f"A period must be longer than {period}.")
    rest = min(max(remaining, timedelta()), period)
    return round_half_up(amount_minor * (rest // MICROSECOND), period // MICROSECOND)


@dataclass(frozen=True, slots=True)
class Proration:
    """The prices of the rest of a period: what is credited of the old plan and what the new one costs."""

    credit_minor: int
    price_minor: int


def pause(state: SubscriptionState, at: datetime) -> Transition:
    """Return the state of a paused subscription, which keeps the rest of its period. Raises ``Conflict``."""
    if state.status not in RUNNING:
        raise _refuse(state, "paused")
    _check_paid(state)
    remaining = Decimal((state.current_period_end - at) // MICROSECOND).scaleb(-6)
    paused = replace(
        state,
        status=SubscriptionStatus.PAUSED,
        paused_status=state.status,
        paused_at=at,
        remaining_seconds=remaining,
        updated_at=at,
    )
    return Transition(Action.PAUSE, paused, (SubscriptionPaused,))


def resume(state: SubscriptionState, at: datetime) -> Transition:
    """Return the state of a subscription that runs again, or whose cancellation is taken back. Raises ``Conflict``.

    A pause moves the whole period by its length, and later periods are counted from the new end.
    """
    if state.status is SubscriptionStatus.CANCELLED:
        status = SubscriptionStatus.TRIALING if state.activated_at is None else SubscriptionStatus.ACTIVE
        resumed = replace(state, status=status, cancelled_at=None, is_notice_sent=False, updated_at=at)
        return Transition(Action.RESUME, resumed, (SubscriptionResumed,))
    if state.paused_status is None or state.remaining_seconds is None or state.paused_at is None:
        raise _refuse(state, "resumed")
    ends_at = at + timedelta(microseconds=int(state.remaining_seconds.scaleb(6)))
    is_trial = state.paused_status is SubscriptionStatus.TRIALING
    resumed = replace(
        state,
        status=state.paused_status,
        paused_status=None,
        paused_at=None,
        remaining_seconds=None,
        anchor_at=ends_at,
        period_number=0,
        current_period_start=state.current_period_start + (at - state.paused_at),
        current_period_end=ends_at,
        trial_ends_at=ends_at if is_trial else state.trial_ends_at,
        updated_at=at,
    )
    return Transition(Action.RESUME, resumed, (SubscriptionResumed,))


def cancel(state: SubscriptionState, at: datetime, *, now: bool) -> Transition | None:
    """Return the state of a subscription that is set to end with its period, or None if it is already.

    With ``now`` it expires at once. So does one without a period that is paid for: paused or past due. Raises
    ``Conflict`` once it has expired.
    """
    if state.status is SubscriptionStatus.EXPIRED:
        raise _refuse(state, "cancelled")
    if now or state.status in {SubscriptionStatus.PAUSED, SubscriptionStatus.PAST_DUE}:
        ended = expire(state, at)
        return replace(ended, state=replace(ended.state, cancelled_at=at))
    if state.status is SubscriptionStatus.CANCELLED:
        return None
    cancelled = replace(
        state,
        status=SubscriptionStatus.CANCELLED,
        pending_plan_id=None,
        is_notice_sent=False,
        cancelled_at=at,
        updated_at=at,
    )
    return Transition(Action.CANCEL, cancelled)


def is_upgrade(terms: PlanTerms, state: SubscriptionState) -> bool:
    """Return whether a plan costs at least as much per month as the current period, and so takes effect at once."""
    new, new_divisor = scale_to_month(terms.price_minor, terms.interval)
    old, old_divisor = scale_to_month(state.price_minor, state.interval)
    return new * old_divisor >= old * new_divisor


def prorate_change(state: SubscriptionState, terms: PlanTerms, at: datetime) -> Proration:
    """Return what the rest of the current period costs on a dearer plan, each part rounded half up.

    A plan of another interval begins a period of its own, and so costs its whole price less the credit.
    """
    remaining = state.current_period_end - at
    period = state.current_period_end - state.current_period_start
    credit = prorate(state.price_minor, remaining, period)
    if terms.interval is not state.interval:
        return Proration(credit, terms.price_minor)
    return Proration(credit, prorate(terms.price_minor, remaining, period))


def change_plan(state: SubscriptionState, terms: PlanTerms, at: datetime) -> Transition:
    """Return the state on another plan: at once in a trial or if it is dearer, else from the next period.

    Raises ``Conflict`` unless the subscription is in its trial, or active and paid.
    """
    if state.status not in RUNNING:
        raise _refuse(state, "changed")
    if terms.plan_id == state.plan_id:
        return Transition(Action.SCHEDULE_PLAN, replace(state, pending_plan_id=None, updated_at=at))
    changed = replace(state, plan_id=terms.plan_id, pending_plan_id=None, price_minor=terms.price_minor, updated_at=at)
    if state.status is SubscriptionStatus.TRIALING:
        trialing = replace(changed, interval=terms.interval)
        return Transition(Action.CHANGE_PLAN, trialing, (SubscriptionPlanChanged,))
    _check_paid(state)
    if not is_upgrade(terms, state):
        return Transition(Action.SCHEDULE_PLAN, replace(state, pending_plan_id=terms.plan_id, updated_at=at))
    if terms.interval is not state.interval:
        changed = state.begin_period(terms, at, at)
    return Transition(Action.CHANGE_PLAN, changed, (SubscriptionPlanChanged,))


def _check_paid(state: SubscriptionState) -> None:
    if state.payment_due_at is not None:
        raise Conflict("The invoice of the current period has to be paid first.", extras={"reason": "invoice_open"})


def _refuse(state: SubscriptionState, done: str) -> Conflict:
    return Conflict(
        f"A subscription that is {state.status} cannot be {done}.", extras={"reason": f"subscription_{state.status}"}
    )
