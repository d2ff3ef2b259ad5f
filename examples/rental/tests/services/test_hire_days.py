"""Prices by the day, deposits and the days of a hire."""

import pytest
from comanda.devkit.testing import line


async def test_hire_costs_its_days_and_a_deposit(shop):
    await shop.decide(deposit=50)

    order = await shop.hire(line(shop.drill, 2), line(shop.mixer))

    assert order.status == 201, order
    assert [(each["unit_price"], each["price_label"], each["line_total"]) for each in order["items"]] == [
        (60, "3 days", 120),
        (106.5, "3 days", 106.5),
    ]
    [deposit] = order["charges"]
    assert (deposit["code"], deposit["label"], deposit["amount"], deposit["tax"]) == ("deposit", "Deposit", 150, 0)
    assert deposit["is_refundable"] is True
    assert (order["subtotal"], order["total"]) == (226.5, 376.5)
    assert (order["hire_from"], order["hire_until"]) == ("2030-01-11", "2030-01-13")


async def test_hire_of_one_day_without_a_deposit(shop):
    order = await shop.hire(first="2030-01-10", last="2030-01-10")

    assert (order["items"][0]["price_label"], order["charges"], order["total"]) == ("1 day", [], 20)


async def test_deposit_is_not_taxed(shop):
    await shop.decide(deposit=50)
    assert (await shop.send("PUT", "/settings", {"tax_rate": 23, "is_tax_included": False})).status == 200

    order = await shop.hire()

    assert (order["tax_total"], order["total"]) == (13.8, 123.8)


@pytest.mark.parametrize(
    ("days", "errors"),
    [
        ({"first": "2030-01-09"}, {"hire_from": ["The first day of the hire has passed."]}),
        ({"last": "2030-01-10"}, {"hire_until": ["The last day must not be before the first."]}),
        (
            {"last": "2030-01-15"},
            {"hire_until": ["Tools can be hired for at most 4 days; this hire has 5."]},
        ),
        ({"last": "9999-12-31"}, {"hire_until": ["Tools can be hired for at most 4 days; this hire has 2910972."]}),
        ({"first": None}, {"hire_from": ["Must be a valid date."]}),
    ],
)
async def test_impossible_days_are_refused(shop, days, errors):
    await shop.decide(max_days=4)

    reply = await shop.hire(**days)

    assert (reply.status, reply.errors) == (422, errors)
    assert await shop.bookings() == {}


async def test_settings_have_labels_and_limits(shop):
    forms = (await shop.get("/settings-forms")).document
    [form] = [each for each in forms if each["plugin"] == "rental"]

    assert form["values"] == {"deposit": 0, "max_days": 30}
    assert form["form"]["properties"]["max_days"]["x-unit"] == "days"
    assert (await shop.send("PUT", "/settings/rental", {"deposit": -1})).status == 422
