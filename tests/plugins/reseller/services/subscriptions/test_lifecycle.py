"""The states of a subscription and the steps that time takes it through."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from comanda.basics import Conflict
from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.records.invoices import Collection
from comanda_reseller.services.subscriptions import interventions, lifecycle
from comanda_reseller.services.subscriptions.lifecycle import Action, Bill, PlanTerms, find_next_step, take_step
from hypothesis import given, settings
from hypothesis import strategies as st

START = datetime(2030, 1, 31, 9, tzinfo=UTC)
MONTHLY = PlanTerms(1, 30_00, Interval.MONTH)
DEARER = PlanTerms(2, 90_00, Interval.MONTH)
CHEAPER = PlanTerms(3, 10_00, Interval.MONTH)
YEARLY = PlanTerms(4, 600_00, Interval.YEAR)
TERMS = {terms.plan_id: terms for terms in (MONTHLY, DEARER, CHEAPER, YEARLY)}


def bill(collection, at):
    return Bill(collection, 7, at + timedelta(days=14))


def run(state, until, collect=lambda at: Collection.PAID):
    """Take all steps that are due by a moment; return the state and the steps with the names of their events."""
    taken = []
    while (step := find_next_step(state)) is not None and step.at <= until:
        terms = TERMS[state.pending_plan_id or state.plan_id]
        needs_bill = step.action in (Action.RENEW, Action.RETRY)
        transition = take_step(state, step, terms, bill(collect(step.at), step.at) if needs_bill else None)
        state = transition.state
        taken.append((step.action, step.at, [event.name for event in transition.events]))
    return state, taken


def begin(terms=MONTHLY, trial_days=0, collection=Collection.PAID):
    return lifecycle.start(terms, trial_days, START, None if trial_days else bill(collection, START)).state


def on(month, day, year=2030):
    return datetime(year, month, day, 9, tzinfo=UTC)


def test_active_renews_on_the_same_day_of_each_month():
    state, taken = run(begin(), on(5, 1))

    assert taken == [
        (Action.RENEW, on(2, 28), ["subscription.renewed"]),
        (Action.RENEW, on(3, 31), ["subscription.renewed"]),
        (Action.RENEW, on(4, 30), ["subscription.renewed"]),
    ]
    assert (state.current_period_start, state.current_period_end) == (on(4, 30), on(5, 31))


def test_trial_ends_with_a_notice_three_days_before():
    state, taken = run(begin(trial_days=14), on(2, 14))

    assert taken == [
        (Action.TRIAL_ENDING, on(2, 11), ["subscription.trial_ending"]),
        (Action.RENEW, on(2, 14), ["subscription.renewed"]),
    ]
    assert state.status is SubscriptionStatus.ACTIVE
    assert state.current_period_end == on(3, 14)
    assert state.activated_at == on(2, 14)


def test_short_trial_has_its_notice_at_once():
    _, taken = run(begin(trial_days=2), START)

    assert taken == [(Action.TRIAL_ENDING, START, ["subscription.trial_ending"])]


def test_failed_renewal_is_retried_and_expires_after_the_grace():
    state, taken = run(begin(), on(4, 1), lambda at: Collection.FAILED)

    assert taken == [
        (Action.RENEW, on(2, 28), ["subscription.past_due"]),
        (Action.RETRY, on(3, 1), []),
        (Action.RETRY, on(3, 3), []),
        (Action.RETRY, on(3, 5), []),
        (Action.RETRY, on(3, 7), []),
        (Action.EXPIRE, on(3, 14), ["subscription.expired"]),
    ]
    assert state.status is SubscriptionStatus.EXPIRED
    assert state.ended_at == on(3, 14)


def test_paid_retry_renews_within_the_same_period():
    state, taken = run(begin(), on(3, 5), lambda at: Collection.PAID if at >= on(3, 5) else Collection.FAILED)

    assert taken[-1] == (Action.RETRY, on(3, 5), ["subscription.renewed"])
    assert state.status is SubscriptionStatus.ACTIVE
    assert (state.current_period_start, state.current_period_end) == (on(2, 28), on(3, 31))
    assert state.retries == 0


def test_pending_invoice_becomes_overdue_when_it_is_due():
    state, taken = run(begin(collection=Collection.PENDING), on(2, 14))

    assert taken == [(Action.OVERDUE, on(2, 14), ["subscription.past_due"])]
    assert state.past_due_at == on(2, 14)


ACTS = st.sampled_from(["pause", "resume", "cancel", "cancel_now", "pay", "dearer", "cheaper", "yearly", "wait"])
MOVES = st.lists(st.tuples(ACTS, st.integers(0, 60 * 24 * 40)), max_size=25)


def act(state, name, at):
    terms = {"dearer": DEARER, "cheaper": CHEAPER, "yearly": YEARLY}
    if name in terms:
        return interventions.change_plan(state, terms[name], at).state
    if name.startswith("cancel"):
        cancelled = interventions.cancel(state, at, now=name == "cancel_now")
        return state if cancelled is None else cancelled.state
    if name == "pay":
        is_open = state.open_invoice_id is not None and state.ended_at is None
        return lifecycle.pay(state, at).state if is_open else state
    return {"pause": interventions.pause, "resume": interventions.resume}[name](state, at).state


@given(MOVES, st.integers(0, 30), st.lists(st.sampled_from(Collection), min_size=1, max_size=8))
@settings(max_examples=400)
def test_any_history_keeps_to_the_rules(moves, trial_days, results):
    """Whatever people do and however collection goes: time never runs back, and paid time is neither lost nor given."""
    state, now, count = begin(trial_days=trial_days), START, 0

    def collect(at):
        nonlocal count
        count += 1
        return results[count % len(results)]

    for name, minutes in [*moves, ("wait", 60 * 24 * 400)]:
        now += timedelta(minutes=minutes)
        before = state
        state, taken = run(state, now, collect)
        moments = [at for _, at, _ in taken]
        assert moments == sorted(moments)
        assert all(before.updated_at <= at <= now for at in moments)
        step = find_next_step(state)
        assert step is None or step.at > now
        if name != "wait":
            try:
                state = act(state, name, now)
            except Conflict:
                continue
        check(state)


def check(state):
    assert state.current_period_start <= state.current_period_end
    assert (state.status is SubscriptionStatus.PAUSED) == (state.remaining_seconds is not None)
    assert (state.status is SubscriptionStatus.PAST_DUE) == (state.past_due_at is not None)
    assert (state.status is SubscriptionStatus.EXPIRED) == (state.ended_at is not None)
    assert (find_next_step(state) is None) == (state.status in (SubscriptionStatus.PAUSED, SubscriptionStatus.EXPIRED))
    if state.status is SubscriptionStatus.EXPIRED:
        with pytest.raises(Conflict):
            interventions.resume(state, state.updated_at)


@given(st.integers(1, 200))
def test_one_long_wait_equals_many_short_ones(hours):
    """A clock that jumps takes the same steps at the same times as one that runs."""
    results = [Collection.PAID, Collection.FAILED, Collection.FAILED, Collection.PAID, Collection.PENDING]

    def collect(at):
        return results[at.toordinal() % len(results)]

    end = START + timedelta(days=400)
    jumped, steps = run(begin(), end, collect)
    state, now, taken = begin(), START, []
    while now < end:
        now = min(end, now + timedelta(hours=hours))
        state, more = run(state, now, collect)
        taken += more
    assert (state, taken) == (replace(jumped), steps)
