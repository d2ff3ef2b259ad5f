"""What people do to a subscription, and what time makes of it afterwards."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from comanda.basics import Conflict
from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.records.invoices import Collection
from comanda_reseller.services.subscriptions import interventions, lifecycle
from comanda_reseller.services.subscriptions.interventions import prorate
from comanda_reseller.services.subscriptions.lifecycle import Action, Bill, PlanTerms, find_next_step, take_step
from hypothesis import given
from hypothesis import strategies as st

START = datetime(2030, 1, 31, 9, tzinfo=UTC)
MONTHLY = PlanTerms(1, 30_00, Interval.MONTH)
DEARER = PlanTerms(2, 90_00, Interval.MONTH)
CHEAPER = PlanTerms(3, 10_00, Interval.MONTH)
YEARLY = PlanTerms(4, 600_00, Interval.YEAR)
TERMS = {terms.plan_id: terms for terms in (MONTHLY, DEARER, CHEAPER, YEARLY)}
MONTH = timedelta(days=30)
PRICES = st.integers(0, 10**9)
MOMENTS = st.integers(0, MONTH // timedelta(microseconds=1)).map(lambda micro: timedelta(microseconds=micro))


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


def test_cancelled_runs_to_the_end_of_its_period():
    cancelled = interventions.cancel(begin(), on(2, 10), now=False).state

    state, taken = run(cancelled, on(3, 1))

    assert taken == [
        (Action.EXPIRING, on(2, 25), ["subscription.expiring"]),
        (Action.EXPIRE, on(2, 28), ["subscription.expired"]),
    ]
    assert state.status is SubscriptionStatus.EXPIRED


def test_late_cancellation_has_its_notice_at_once():
    cancelled = interventions.cancel(begin(), on(2, 27), now=False).state

    assert find_next_step(cancelled) == lifecycle.Step(Action.EXPIRING, on(2, 27))


@pytest.mark.parametrize("status", [SubscriptionStatus.PAUSED, SubscriptionStatus.PAST_DUE])
def test_cancelling_without_a_paid_period_ends_at_once(status):
    state = begin()
    if status is SubscriptionStatus.PAUSED:
        state = interventions.pause(state, on(2, 10)).state
    else:
        state, _ = run(state, on(2, 28), lambda at: Collection.FAILED)
    assert state.status is status

    ended = interventions.cancel(state, on(3, 1), now=False)

    assert ended.state.status is SubscriptionStatus.EXPIRED
    assert [event.name for event in ended.events] == ["subscription.expired"]


def test_cancellation_is_taken_back_by_resuming():
    state = interventions.cancel(begin(), on(2, 10), now=False).state

    resumed = interventions.resume(state, on(2, 20)).state

    assert resumed.status is SubscriptionStatus.ACTIVE
    assert find_next_step(resumed) == lifecycle.Step(Action.RENEW, on(2, 28))


def test_pause_keeps_the_rest_of_the_period():
    paused = interventions.pause(begin(), on(2, 18)).state
    assert find_next_step(paused) is None

    resumed = interventions.resume(paused, on(6, 1)).state

    assert resumed.current_period_end == on(6, 11)
    assert resumed.current_period_end - resumed.current_period_start == on(2, 28) - START
    state, _ = run(resumed, on(7, 1))
    assert (state.current_period_start, state.current_period_end) == (on(6, 11), on(7, 11))


def test_dearer_plan_takes_effect_at_once_with_its_proration():
    state = begin()
    middle = START + (state.current_period_end - START) / 2

    changed = interventions.change_plan(state, DEARER, middle)

    assert changed.action is Action.CHANGE_PLAN
    assert changed.state.plan_id == DEARER.plan_id
    assert changed.state.current_period_end == state.current_period_end
    proration = interventions.prorate_change(state, DEARER, middle)
    assert (proration.credit_minor, proration.price_minor) == (15_00, 45_00)


def test_cheaper_plan_waits_for_the_next_period():
    changed = interventions.change_plan(begin(), CHEAPER, on(2, 10))
    assert changed.events == ()
    assert changed.state.plan_id == MONTHLY.plan_id

    state, taken = run(changed.state, on(2, 28))

    assert taken == [(Action.RENEW, on(2, 28), ["subscription.plan_changed", "subscription.renewed"])]
    assert (state.plan_id, state.price_minor, state.pending_plan_id) == (CHEAPER.plan_id, 10_00, None)


def test_yearly_plan_begins_a_period_of_its_own():
    changed = interventions.change_plan(begin(), YEARLY, on(2, 10)).state

    assert (changed.current_period_start, changed.current_period_end) == (on(2, 10), on(2, 10, 2031))


def test_choosing_the_current_plan_takes_a_change_back():
    scheduled = interventions.change_plan(begin(), CHEAPER, on(2, 10)).state

    assert interventions.change_plan(scheduled, MONTHLY, on(2, 11)).state.pending_plan_id is None


@pytest.mark.parametrize("act", [interventions.pause, lambda s, at: interventions.change_plan(s, DEARER, at)])
def test_unpaid_period_has_to_be_paid_first(act):
    with pytest.raises(Conflict) as refused:
        act(begin(collection=Collection.PENDING), on(2, 1))
    assert refused.value.extras["reason"] == "invoice_open"


@given(PRICES, MOMENTS)
def test_share_of_a_price_is_within_the_price(price, remaining):
    assert 0 <= prorate(price, remaining, MONTH) <= price


@given(PRICES)
def test_all_of_a_period_costs_its_price_and_none_of_it_nothing(price):
    assert prorate(price, MONTH, MONTH) == price == prorate(price, MONTH + MONTH, MONTH)
    assert prorate(price, timedelta(), MONTH) == 0 == prorate(price, -MONTH, MONTH)


@given(st.lists(st.tuples(PRICES, MOMENTS), min_size=1, max_size=12), PRICES)
def test_changes_of_plan_cost_what_each_plan_was_used_for(changes, first):
    # Each change credits the rest of the plan before it and charges the rest of the next one.
    changes = sorted(changes, key=lambda change: change[1], reverse=True)
    billed, price = first, first
    used, since = 0, MONTH
    for following, remaining in changes:
        billed += prorate(following, remaining, MONTH) - prorate(price, remaining, MONTH)
        used += prorate(price, since, MONTH) - prorate(price, remaining, MONTH)
        price, since = following, remaining

    assert billed == used + prorate(price, since, MONTH)
    assert billed >= 0


@given(PRICES, PRICES, MOMENTS)
def test_change_that_is_undone_at_once_costs_nothing(old, new, remaining):
    there = prorate(new, remaining, MONTH) - prorate(old, remaining, MONTH)
    back = prorate(old, remaining, MONTH) - prorate(new, remaining, MONTH)

    assert there + back == 0


@given(PRICES, st.lists(MOMENTS, max_size=20))
def test_parts_of_a_period_add_up_to_its_price(price, moments):
    edges = [MONTH, *sorted(moments, reverse=True), timedelta()]

    parts = [prorate(price, one, MONTH) - prorate(price, two, MONTH) for one, two in pairwise(edges)]

    assert sum(parts) == price
    assert min(parts) >= 0


def test_period_must_be_positive():
    with pytest.raises(ValueError, match="longer than"):
        prorate(100, MONTH, timedelta())
