"""Numbers in texts from outside."""

from decimal import Decimal

import pytest
from comanda.contracts.requests.numbers import normalize_digits, parse_decimal, parse_id, parse_ids


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("9223372036854775807", 2**63 - 1), ("9223372036854775808", None)]
    + [(text, None) for text in (None, "", " 7", "-7", "+7", "7.0", "1e3", "0x7", "²", "٣", "9" * 5000, "x")],
)
def test_only_ascii_digits_of_an_id_are_a_number(text, number):
    assert parse_id(text) == number


def test_other_texts_are_left_out():
    assert parse_ids(["1", "x", "²", "2"]) == [1, 2]


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", "12"), ("12.5", "12.5"), ("12,50", "12.50"), ("-3,5", "-3.5"), ("\u22123", "-3"), ("1,234.50", "1234.50"),
     ("1.234,50", "1234.50"), ("1 234,5", "1234.5"), ("1\u202f200", "1200"), ("1'200.05", "1200.05"),
     ("1,234,567", "1234567"), ("1200", "1200"), ("0,200", "0.200"), ("1,2345", "1.2345"),
     ("\u0661\u0662\u066b\u0665", "12.5"),
     ("\u0967\u0968", "12")]
    + [(text, None) for text in ("", "x", "1e3", "1,200", "1.200", "-1,200", "999.000", "1,2,3", "1.2.3", "12,34.5",
                                 "1,23,4", "1_000", "0x1", "--1", ".", ",5", "1 2", "nan", "1" * 40)],
)  # fmt: skip
def test_number_is_read_as_people_write_it_and_refused_if_it_could_be_two(text, number):
    assert parse_decimal(text) == (None if number is None else Decimal(number))


def test_mark_before_three_digits_is_decimal_where_thousands_are_impossible():
    assert parse_decimal("41,157", maximum=90) == Decimal("41.157")
    assert parse_decimal("1.200", decimals=3) == Decimal("1.200")
    assert parse_decimal("1,200", decimals=3) is None


def test_digits_of_all_scripts_become_ascii():
    assert normalize_digits("+\u0663\u0665\u0661 a \u06f9") == "+351 a 9"
