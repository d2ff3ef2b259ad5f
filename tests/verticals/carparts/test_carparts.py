"""The car-parts vertical: what it declares, and what its stores make of it."""

import pytest
from comanda.contracts.verticals import VerticalGroup
from comanda.devkit.testing.stores import line
from comanda_carparts import plugin


def test_it_offers_one_store_type_of_the_goods_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("carparts", VerticalGroup.GOODS)
    assert vertical.fulfillment_modes == ("in_store", "pickup_slot", "ship", "delivery")
    assert {"brand", "stock", "variants", "fitment"} <= set(vertical.capabilities)


async def test_a_part_has_brand_stock_and_fitments_and_nothing_of_food(garage):
    pads = await garage.item("Brake pads", brand="Amber", stock=3, is_vegan=True)

    assert (pads["brand"], pads["stock"], pads["variants_count"], pads["fitments"]) == ("Amber", 3, 0, [])
    assert not {"is_vegan", "is_halal", "calories", "expires_on"} & pads.keys()
    order = await garage.order(line(pads, 2), type="in_store")
    assert (order["type"], (await garage.get(f"/menu/items/{pads['id']}"))["stock"]) == ("in_store", 1)


@pytest.mark.parametrize("mode", ["on-table", "takeaway", "room_service", "appointment"])
async def test_modes_of_other_groups_are_refused(garage, mode):
    refused = await garage.place(line(await garage.item("Bulb")), type=mode)

    assert refused.errors == {"type": ["This store takes: in_store, pickup_slot, ship, delivery."]}
