"""What strangers may write into an order, without the database."""

import pytest
from comanda_deliverect.services.documents import parse_order
from comanda_foreign_orders.api import InvalidOrder

from tests.plugins.deliverect.fake_deliverect import ordered


def parse(currency="EUR", **fields):
    order = {"_id": "o1", "orderType": 1, "items": [ordered("A")], "payment": {"amount": 500}, **fields}
    return parse_order(order, currency)


@pytest.mark.parametrize(("fields", "reason"), [
    ({"items": []}, "The order has no items."),
    ({"items": [ordered("A")] * 201}, "The order has more than 200 items."),
    ({"payment": None}, "payment: the amount cannot be read."),
    ({"payment": {"amount": "5.5"}}, "payment: the amount cannot be read."),
    ({"payment": {"amount": 5001}, "decimalDigits": 3}, "payment: An amount in EUR has at most 2 decimals."),
    ({"decimalDigits": 99}, "decimalDigits: the number cannot be read."),
    ({"items": [ordered("A", -1)]}, "Something: the price is negative."),
    ({"items": [ordered("A", quantity=0)]}, "Something: the quantity must be a whole number from 1 to 999."),
    ({"items": [ordered("A", subItems=[ordered("B", quantity=999)])]}, "Something: there are more than 200 options."),
])  # fmt: skip
def test_order_that_cannot_be_understood_says_why(fields, reason):
    with pytest.raises(InvalidOrder) as refusal:
        parse(**fields)

    assert str(refusal.value) == reason


@pytest.mark.parametrize("fields", [
    {"customer": "Ana"}, {"deliveryAddress": []}, {"pickupTime": "tomorrow"}, {"note": 5}, {"courier": None},
    {"orderType": []}, {"table": {}}, {"taxTotal": None}, {"discountTotal": None},
])  # fmt: skip
def test_what_does_not_matter_is_left_out(fields):
    assert parse(**fields).total_minor == 500


def test_choices_of_choices_count_for_each_of_what_has_them():
    inner = ordered("C", 50, 2)

    (item,) = parse(items=[ordered("A", 0, subItems=[ordered("B", 400, 2, subItems=[inner])])]).items

    assert [(option.ref, option.quantity) for option in item.options] == [("B", 2), ("C", 4)]
    assert item.unit_price_minor == 1000


@pytest.mark.parametrize(("courier", "service_type"), [
    ({"deliveryBy": "restaurant"}, "delivery"), ({}, "delivery"), ({"deliveryBy": "channel"}, "collection"),
])  # fmt: skip
def test_order_that_the_platform_delivers_is_collected(courier, service_type):
    assert parse(orderType=2, courier=courier).service_type == service_type


def test_fees_that_are_not_part_of_the_total_are_left_out():
    assert parse(deliveryCost=300).fees == ()
    assert [fee.amount_minor for fee in parse(deliveryCost=300, payment={"amount": 800}).fees] == [300]


def test_amounts_have_the_decimals_that_the_order_says():
    assert parse("JPY", decimalDigits=0, payment={"amount": 980}).total_minor == 980
