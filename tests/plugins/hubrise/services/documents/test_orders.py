"""What strangers may write into an order, without the database."""

import pytest
from comanda_foreign_orders.api import InvalidOrder
from comanda_hubrise.services.documents.orders import parse_order

from tests.plugins.hubrise.fake_hubrise import ordered


def parse(**fields):
    return parse_order({"id": "o1", "status": "new", "total": "5.00 EUR", "items": [ordered("A")], **fields}, "EUR")


@pytest.mark.parametrize(("fields", "reason"), [
    ({"items": []}, "The order has no items."),
    ({"items": None}, "The order has no items."),
    ({"items": [ordered("A")] * 201}, "The order has more than 200 items."),
    ({"total": "5.00 USD"}, "total: the amount is in USD, and the store's currency is EUR."),
    ({"total": None}, "total: the amount cannot be read."),
    ({"total": 5}, "total: the amount cannot be read."),
    ({"total": "5.001 EUR"}, "total: An amount in EUR has at most 2 decimals."),
    ({"total": "999999999999.00 EUR"}, None),
    ({"items": [ordered("A", "-1.00 EUR")]}, "Something: the price is negative."),
    ({"items": [ordered("A", quantity="1.5")]}, "Something: the quantity must be a whole number from 1 to 999."),
    ({"items": [ordered("A", quantity="1e9")]}, "Something: the quantity must be a whole number from 1 to 999."),
    ({"items": [ordered("A", quantity=True)]}, "Something: the quantity must be a whole number from 1 to 999."),
    ({"items": [ordered("A", quantity="NaN")]}, "Something: the quantity must be a whole number from 1 to 999."),
    ({"items": [ordered("A", options=[{"name": "x", "quantity": 0}])]}, None),
    ({"charges": [{"name": "Bag", "price": "1"}]}, "Bag: the amount cannot be read."),
    ({"charges": [{"name": "Bag", "price": "1.00 EUR", "tax_rate": "101"}]}, "Bag: the tax rate cannot be read."),
    ({"payments": [{"ref": "CARD"}]}, "payment: the amount cannot be read."),
    ({"discounts": [{"name": "x", "price_off": {}}]}, "discount: the amount cannot be read."),
])  # fmt: skip
def test_order_that_cannot_be_understood_says_why(fields, reason):
    with pytest.raises(InvalidOrder) as refusal:
        parse(**fields)

    assert reason is None or str(refusal.value) == reason


@pytest.mark.parametrize("fields", [
    {"customer": "Ana"}, {"customer": {"first_name": 7, "latitude": "x", "longitude": []}}, {"custom_fields": []},
    {"expected_time": "tomorrow"}, {"expected_time": "9999-12-31T23:59:59-23:00"}, {"expected_time": 5},
    {"created_by": None}, {"ref": {"a": 1}}, {"customer_notes": "a\0b" * 9999}, {"charges": "none"}, {"discounts": {}},
])  # fmt: skip
def test_what_does_not_matter_is_left_out(fields):
    assert parse(**fields).total_minor == 500


def test_deleted_elements_do_not_count():
    order = parse(
        items=[ordered("A"), ordered("B", deleted=True)],
        payments=[{"ref": "CARD", "amount": "5.00 EUR", "deleted": True}],
    )

    assert [item.ref for item in order.items] == ["A"]
    assert order.paid_minor == 0


def test_amounts_have_two_decimals_in_every_currency():
    items = [ordered("A", "980.00 JPY")]

    order = parse_order({"id": "o1", "status": "new", "total": "980.00 JPY", "items": items}, "JPY")

    assert (order.total_minor, order.items[0].price_minor) == (980, 980)
