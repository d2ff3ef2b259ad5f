"""Deliveries in placing an order."""

from comanda.devkit.testing import line


async def test_order_below_the_minimum_is_refused(kitchen):
    await kitchen.set_terms(min_order=15)

    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="x")

    assert refused.errors == {"items": ["The minimum order for delivery is 15.00 EUR; these items total 10.00 EUR."]}
    unknown = await kitchen.place({"item_id": 987_654_321}, type="delivery", address="x")
    assert list(unknown.errors) == ["items.0.item_id"]
    assert (await kitchen.place_delivery(2))["total"] == 20
    assert (await kitchen.set_terms(min_order=None))["min_order"] is None
    assert (await kitchen.place_delivery())["total"] == 10


async def test_omitted_address_fields_are_not_in_the_record(kitchen):
    order = await kitchen.place_delivery(address_instructions="The blue door", address_lat=None)

    assert [name for name in order if name.startswith("address")] == ["address_instructions", "address"]
    assert not [name for name in await kitchen.place_delivery() if name.startswith("address_")]
