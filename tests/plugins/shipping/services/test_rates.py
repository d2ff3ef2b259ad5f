"""The price of shipping."""

from comanda.devkit.testing import line
from comanda_shipping.services.rates import ShippingTerms


async def test_orders_that_are_shipped_cost_the_rate_until_they_are_large(shop):
    await shop.send("PUT", "/settings/shipping", {"rate": 4.9, "free_over": 50, "tax_rate": 23})
    lamp = await shop.item("Lamp", 30)
    small = await shop.create_order(line(lamp, 1))
    large = await shop.create_order(line(lamp, 2))

    assert [(charge["code"], charge["amount"]) for charge in small["charges"]] == [("shipping", 4.9)]
    assert large["charges"] == []


def test_no_rate_is_no_charge():
    assert ShippingTerms().list_charges(1000) == []
    assert ShippingTerms(500, free_over_minor=1000).list_charges(1000) == []
