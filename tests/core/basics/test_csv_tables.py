"""Cells of CSV files."""

from decimal import Decimal

import pytest
from comanda.basics.csv_tables import from_cell, to_cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\tx", "\rx", "'-20%", "''=1"])
def test_formulas_are_escaped_and_read_back(text):
    assert to_cell(text) == f"'{text}"
    assert from_cell(to_cell(text)) == text


@pytest.mark.parametrize(
    ("value", "cell"),
    [(None, ""), (True, "true"), (False, "false"), (-5, "-5"), (Decimal("-0.02"), "-0.02"), (["a"], '["a"]'),
     ("a=b", "a=b"), ("'quoted", "'quoted")],
)  # fmt: skip
def test_other_values_are_left_alone(value, cell):
    assert to_cell(value) == cell
    if isinstance(value, str):
        assert from_cell(cell) == value
