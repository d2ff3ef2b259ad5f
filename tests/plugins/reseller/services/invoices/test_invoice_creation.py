"""Amounts of new invoices."""

from datetime import timedelta

from comanda.basics import round_half_up
from comanda_reseller.records.invoices import NewLine
from comanda_reseller.services.invoices.invoice_creation import compute_amounts, compute_taxes
from comanda_reseller.services.subscriptions.interventions import prorate
from hypothesis import given
from hypothesis import strategies as st

MONTH = timedelta(days=30)
PRICES = st.integers(0, 10**9)
MOMENTS = st.integers(0, MONTH // timedelta(microseconds=1)).map(lambda micro: timedelta(microseconds=micro))
RATES = st.integers(0, 1_000_000)
SIGNED = st.integers(-(10**9), 10**9)


@given(st.lists(st.tuples(st.integers(-(10**6), 10**6), st.integers(1, 100)), min_size=1, max_size=20), RATES)
def test_total_is_the_sum_of_lines_and_taxes(lines, rate):
    amounts = compute_amounts([NewLine("Line", price, quantity) for price, quantity in lines], rate)

    assert amounts.subtotal_minor == sum(price * quantity for price, quantity in lines)
    assert amounts.total_minor == amounts.subtotal_minor + sum(amounts.line_taxes_minor)


@given(PRICES, PRICES, MOMENTS, RATES)
def test_change_and_its_reversal_have_opposite_totals(old, new, remaining, rate):
    there = [NewLine("old", -prorate(old, remaining, MONTH)), NewLine("new", prorate(new, remaining, MONTH))]
    back = [NewLine("new", -prorate(new, remaining, MONTH)), NewLine("old", prorate(old, remaining, MONTH))]

    assert compute_amounts(there, rate).total_minor == -compute_amounts(back, rate).total_minor


@given(st.lists(SIGNED, min_size=1, max_size=30), RATES)
def test_taxes_of_lines_add_up_to_the_tax_of_their_sum(amounts, rate):
    taxes = compute_taxes(amounts, rate)

    assert sum(taxes) == round_half_up(sum(amounts) * rate, 1_000_000)
    for amount, tax in zip(amounts, taxes, strict=True):
        assert abs(tax - amount * rate / 1_000_000) <= 1 + 1e-3
