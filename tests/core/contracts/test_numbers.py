"""Whole numbers in texts from outside."""

import pytest
from comanda.contracts.numbers import parse_id, parse_ids


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("9223372036854775807", 2**63 - 1), ("9223372036854775808", None)]
    + [(text, None) for text in (None, "", " 7", "-7", "+7", "7.0", "1e3", "0x7", "²", "٣", "9" * 5000, "x")],
)
def test_only_ascii_digits_of_an_id_are_a_number(text, number):
    assert parse_id(text) == number


def test_other_texts_are_left_out():
    assert parse_ids(["1", "x", "²", "2"]) == [1, 2]
