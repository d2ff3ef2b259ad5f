"""Validation of address fields."""

from comanda.devkit.testing import line


async def test_an_address_has_both_coordinates_or_none(kitchen):
    for fields in ({"address_lat": 1}, {"address_lng": 1}, {"address_lat": 91, "address_lng": 1}):
        reply = await kitchen.place(line(kitchen.pizza), type="delivery", address="x", **fields)
        assert reply.status == 422
    assert (await kitchen.get("/orders"))["total"] == 0
