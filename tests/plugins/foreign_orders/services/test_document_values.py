"""Values that strangers send are read as far as they can be."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from comanda_foreign_orders.api import (
    InvalidOrder,
    find_number,
    list_objects,
    parse_moment,
    parse_quantity,
    text,
    to_object,
)


@pytest.mark.parametrize(("value", "number"), [
    ("1.5", Decimal("1.5")), (3, Decimal(3)), (True, None), ("NaN", None), ("1e9", None), (None, None), ({}, None),
    ("\u0661", None),
])  # fmt: skip
def test_only_plain_digits_are_numbers(value, number):
    assert find_number(value) == number


def test_text_is_cut_off_and_has_no_nul():
    assert text({"name": " a\0bcd "}, "name", 3) == "abc"
    assert text({"name": 5}, "name", 3) == ""


def test_moment_without_time_zone_is_none():
    assert parse_moment("2026-01-02T03:04:05.000000Z") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert [parse_moment(value) for value in ("2026-01-02T03:04:05", "9999-12-31T23:59:59-23:00", 5)] == [None] * 3


def test_more_objects_than_an_order_has_are_refused():
    assert list_objects({"items": [{}, 5]}, "items") == [{}]
    with pytest.raises(InvalidOrder, match="more than 200 items"):
        list_objects({"items": [{}] * 201}, "items")


def test_quantity_is_a_whole_number():
    assert parse_quantity("2", "Soup") == 2
    with pytest.raises(InvalidOrder, match="Soup: the quantity"):
        parse_quantity(0, "Soup")


def test_what_is_no_object_is_an_empty_one():
    assert (to_object([]), to_object({"a": 1})) == ({}, {"a": 1})
