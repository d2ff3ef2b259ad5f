import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import pytest
from comanda.basics import money
from comanda.basics.money import MAX_MINOR, Money, get_exponent, round_half_up, to_decimal_string, to_minor, to_number
from hypothesis import given
from hypothesis import strategies as st

Wire: TypeAlias = int | float | str | Decimal

CURRENCIES = ["JPY", "EUR", "KWD"]
MINOR = st.integers(-MAX_MINOR, MAX_MINOR)


def test_exponents_of_stored_amounts_do_not_follow_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library counts the decimals in use, and its releases differ: 2 and 0 for HUF, 0 and 2 for RSD."""
    monkeypatch.setattr(money, "get_global", {"all_currencies": {"HUF": 1, "RSD": 1, "CLF": 1, "KWD": 1}}.get)
    get_exponent.cache_clear()

    found = {currency: get_exponent(currency) for currency in ("HUF", "RSD", "CLF", "KWD")}

    get_exponent.cache_clear()
    assert found == {"HUF": 2, "RSD": 0, "CLF": 4, "KWD": 3}


@pytest.mark.parametrize("currency", ["", "eur", "EURO", "DEFAULT", "ZZZ", "€"])
def test_an_unknown_currency_is_refused_everywhere(currency: str) -> None:
    to_text: Callable[[str], str] = partial(to_decimal_string, 1)
    acts: list[Callable[[str], object]] = [get_exponent, partial(to_minor, 1), partial(to_number, 1), to_text]
    for act in acts:
        with pytest.raises(ValueError, match="is not a currency code"):
            act(currency)


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        (12, "EUR", 1200),
        (12.5, "EUR", 1250),
        (0.29, "EUR", 29),  # 0.29 * 100 is 28.999999999999996
        (1.005, "KWD", 1005),
        (1250, "JPY", 1250),
        (1250.0, "JPY", 1250),
        ("12.50", "EUR", 1250),
        ("12.500", "EUR", 1250),
        ("007.10", "EUR", 710),
        ("-0.05", "EUR", -5),
        (-0.0, "EUR", 0),
        ("0.00000", "JPY", 0),
        (Decimal("1E+3"), "EUR", 100_000),
        (Decimal("12.50"), "KWD", 12_500),
        (10**10, "EUR", MAX_MINOR),
        ("-10000000000.00", "EUR", -MAX_MINOR),
        (1e12, "JPY", MAX_MINOR),
    ],
)
def test_a_number_from_the_wire_becomes_exact_minor_units(amount: Wire, currency: str, minor: int) -> None:
    result = to_minor(amount, currency)

    assert result == minor
    assert type(result) is int


@pytest.mark.parametrize(
    ("amount", "currency", "sentence"),
    [
        (True, "EUR", "An amount must be a number, not true or false."),
        (False, "JPY", "An amount must be a number, not true or false."),
        (float("nan"), "EUR", "An amount must be a finite number."),
        (float("-inf"), "EUR", "An amount must be a finite number."),
        (Decimal("sNaN"), "EUR", "An amount must be a finite number."),
        (12.345, "EUR", "An amount in EUR has at most 2 decimals."),
        (0.1 + 0.2, "EUR", "An amount in EUR has at most 2 decimals."),
        (1e-300, "EUR", "An amount in EUR has at most 2 decimals."),
        (Decimal("1E-999999999"), "KWD", "An amount in KWD has at most 3 decimals."),
        ("0.00000000000000000000000000000001", "EUR", "An amount in EUR has at most 2 decimals."),
        (0.5, "JPY", "An amount in JPY has no decimals."),
        ("10000000000.01", "EUR", "An amount must not exceed 10000000000.00 EUR either way."),
        (-(10**12) - 1, "JPY", "An amount must not exceed 1000000000000 JPY either way."),
        (1e300, "EUR", "An amount must not exceed 10000000000.00 EUR either way."),
        (10**4000, "EUR", "An amount must not exceed 10000000000.00 EUR either way."),
        (Decimal("1E+999999999"), "EUR", "An amount must not exceed 10000000000.00 EUR either way."),
    ],
)
def test_an_amount_that_is_no_amount_of_the_currency_is_refused_with_a_sentence(
    amount: Wire, currency: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as refused:
        to_minor(amount, currency)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "1\n", "+1", "1e3", "1_000", "1,50", ".5", "5.", "NaN", "\u0661", "0x1", "--1"]
)
def test_text_other_than_a_plain_decimal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be a decimal number such as 12\.50"):
        to_minor(text, "EUR")


@pytest.mark.parametrize(
    ("minor", "currency", "number", "text"),
    [
        (1250, "EUR", 12.5, "12.50"),
        (1200, "EUR", 12.0, "12.00"),
        (5, "EUR", 0.05, "0.05"),
        (-5, "EUR", -0.05, "-0.05"),
        (-1250, "EUR", -12.5, "-12.50"),
        (0, "EUR", 0.0, "0.00"),
        (1250, "JPY", 1250, "1250"),
        (-1250, "JPY", -1250, "-1250"),
        (1005, "KWD", 1.005, "1.005"),
        (1, "CLF", 0.0001, "0.0001"),
    ],
)
def test_an_amount_leaves_as_a_number_or_with_all_decimals(minor: int, currency: str, number: float, text: str) -> None:
    assert to_number(minor, currency) == number
    assert type(to_number(minor, currency)) is type(number)
    assert to_decimal_string(minor, currency) == text


@given(MINOR, st.sampled_from(CURRENCIES))
def test_an_amount_survives_the_way_out_and_back(minor: int, currency: str) -> None:
    assert to_minor(to_number(minor, currency), currency) == minor
    assert to_minor(to_decimal_string(minor, currency), currency) == minor
    assert to_minor(Decimal(to_decimal_string(minor, currency)), currency) == minor


@given(st.integers(-(10**15), 10**15), st.sampled_from(CURRENCIES))
def test_a_json_number_prints_as_the_exact_decimal(minor: int, currency: str) -> None:
    assert Fraction(repr(to_number(minor, currency))) == Fraction(minor, 10 ** get_exponent(currency))


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(CURRENCIES))
def test_a_float_is_taken_for_its_shortest_decimal_or_refused(amount: float, currency: str) -> None:
    exact = Fraction(repr(amount)) * 10 ** get_exponent(currency)
    if exact.denominator == 1 and abs(exact) <= MAX_MINOR:
        assert to_minor(amount, currency) == exact
    else:
        with pytest.raises(ValueError, match="An amount"):
            to_minor(amount, currency)


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded"),
    [(5, 10, 1), (4, 10, 0), (15, 10, 2), (25, 10, 3), (-5, 10, -1), (-4, 10, 0), (-25, 10, -3), (1, 3, 0), (2, 3, 1)],
)
def test_a_half_rounds_away_from_zero(numerator: int, denominator: int, rounded: int) -> None:
    assert round_half_up(numerator, denominator) == rounded


@given(st.integers(-(10**20), 10**20), st.integers(1, 10**9))
def test_rounding_moves_by_at_most_a_half_and_mirrors_for_refunds(numerator: int, denominator: int) -> None:
    rounded = round_half_up(numerator, denominator)

    assert abs(Fraction(numerator, denominator) - rounded) <= Fraction(1, 2)
    assert round_half_up(-numerator, denominator) == -rounded


def test_money_of_one_currency_adds_up() -> None:
    assert Money(150, "EUR") + Money(75, "EUR") == Money(225, "EUR")
    assert Money(150, "EUR") - Money(175, "EUR") == Money(-25, "EUR")


def test_money_of_two_currencies_is_not_added() -> None:
    with pytest.raises(ValueError, match="USD cannot be added to EUR"):
        Money(150, "EUR") + Money(75, "USD")
