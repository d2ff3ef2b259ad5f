"""Rates on the wire: four decimals of a percent, read exactly and never rounded in silence."""

from decimal import Decimal

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.basics.rates import round_to_ppm, to_percent, to_ppm
from comanda.contracts.requests.fields import ExactBody, ExactNumber, Percent
from comanda.contracts.requests.validation import parse_body
from hypothesis import given
from hypothesis import strategies as st


class Rates(ExactBody):
    rate: Percent | None = None
    by_mode: dict[str, Percent] = {}
    value: ExactNumber | None = None


@given(st.integers(0, 1_000_000))
def test_every_rate_of_four_decimals_survives_the_way_in_and_out(ppm):
    shown = to_percent(ppm)

    assert to_ppm(parse_body(Rates, b'{"rate": %s}' % repr(shown).encode()).rate) == ppm
    assert to_ppm(parse_body(Rates, b'{"rate": "%d.%04d"}' % divmod(ppm, 10_000)).rate) == ppm
    # As tools of agents give it, whose arguments were parsed before.
    assert to_ppm(Rates.model_validate({"rate": shown}).rate) == ppm


@pytest.mark.parametrize(
    "written", ["8.87500", "8.875000000000000000000000000", "88.75e-1", "8875e-3", "0.0", "0e-999999999", "100.0000"]
)
def test_zeros_beyond_the_fourth_decimal_are_none(written):
    assert to_ppm(parse_body(Rates, b'{"rate": %s}' % written.encode()).rate) in {88_750, 0, 1_000_000}


@pytest.mark.parametrize(
    "written",
    [
        "8.87501",
        "8.87500000000000000000000000001",
        "0.30000000000000004",
        "0.00001",
        "1e-5",
        '"8.87501"',
        "99.99999999999999999999",
    ],
)
def test_a_fifth_decimal_is_refused_with_a_sentence(written):
    for body, field in ((b'{"rate": %s}', "rate"), (b'{"by_mode": {"takeaway": %s}}', "by_mode.takeaway")):
        with pytest.raises(ValidationFailed) as refused:
            parse_body(Rates, body % written.encode())

        assert refused.value.errors == {field: ["Must have at most 4 decimals."]}


@pytest.mark.parametrize(
    "written", ["-1", "100.00000000000000000001", "1e999999999", "NaN", "true", '"NaN"', "1" * 4000]
)
def test_what_is_no_percentage_is_refused(written):
    with pytest.raises(ValidationFailed):
        parse_body(Rates, b'{"rate": %s}' % written.encode())


def test_a_number_of_more_digits_than_a_double_holds_arrives_as_it_was_written():
    assert parse_body(Rates, b'{"value": 10.000000000000000001}').value == Decimal("10.000000000000000001")


def test_digits_without_end_in_fields_that_nobody_knows_harm_nothing():
    body = b'{"rate": 8.875, "unknown": %s, "deep": %s1%s}' % (b"9" * 4000, b"[" * 50, b"]" * 50)

    assert parse_body(Rates, body).rate == Decimal("8.875")


@pytest.mark.parametrize(
    ("percent", "ppm"), [(19.0, 190_000), (8.875, 88_750), (0.1 + 0.2, 3_000), (7.00005, 70_000), (0, 0)]
)
def test_a_rate_of_a_setting_is_rounded_to_four_decimals(percent, ppm):
    assert round_to_ppm(percent) == ppm
