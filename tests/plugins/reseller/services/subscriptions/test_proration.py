"""Shares of prices: no money is made or lost, for any prices and times."""

from datetime import timedelta
from itertools import pairwise

import pytest
from comanda_reseller.services.subscriptions.proration import prorate
from hypothesis import given
from hypothesis import strategies as st

MONTH = timedelta(days=30)
PRICES = st.integers(0, 10**9)
MOMENTS = st.integers(0, MONTH // timedelta(microseconds=1)).map(lambda micro: timedelta(microseconds=micro))


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
