"""One caller's number is one number, however it is written."""

import pytest
from comanda.basics.phones import normalize_phone


@pytest.mark.parametrize(
    "written", ["912 345 678", "912345678", "+351 912-345-678", "00351 912 345 678", "(+351) 912.345.678", "٩١٢٣٤٥٦٧٨"]
)
def test_one_number_written_in_many_ways(written):
    assert normalize_phone(written, "PT") == "+351912345678"


@pytest.mark.parametrize(
    ("written", "country", "number"),
    [
        ("+44 20 7946 0958", None, "+442079460958"),
        ("+44 20 7946 0958", "PT", "+442079460958"),
        ("020 7946 0958", "GB", "+442079460958"),
        ("912 345 678", None, "912345678"),
        ("912 345 678", "ZZ", "912345678"),
        ("+351 (0)912 345 678", None, "+351912345678"),
        ("+44(0)20 7946 0958", "PT", "+442079460958"),
        ("+39 (0)6 6982 0000", None, "+390669820000"),
        ("555-0142", "US", "5550142"),
        ("12345", "PT", "12345"),
    ],
)
def test_where_a_number_belongs(written, country, number):
    assert normalize_phone(written, country) == number


@pytest.mark.parametrize("written", ["", "x", "no phone", "1234", "+", "12 3", "1" * 16, "\ud800", "🍕"])
def test_what_is_no_number(written):
    assert normalize_phone(written, "PT") is None
