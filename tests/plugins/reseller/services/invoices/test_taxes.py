"""Taxes of lines: they add up to the tax of the sum."""

from comanda.basics import round_half_up
from comanda_reseller.services.invoices.taxes import compute_taxes
from hypothesis import given
from hypothesis import strategies as st

SIGNED = st.integers(-(10**9), 10**9)
RATES = st.integers(0, 1_000_000)


@given(st.lists(SIGNED, min_size=1, max_size=30), RATES)
def test_taxes_of_lines_add_up_to_the_tax_of_their_sum(amounts, rate):
    taxes = compute_taxes(amounts, rate)

    assert sum(taxes) == round_half_up(sum(amounts) * rate, 1_000_000)
    for amount, tax in zip(amounts, taxes, strict=True):
        assert abs(tax - amount * rate / 1_000_000) <= 1 + 1e-3
