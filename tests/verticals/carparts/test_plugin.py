"""The declarations of the car-parts vertical."""

import pytest
from comanda.contracts import VerticalGroup
from comanda.devkit.testing import line
from comanda_carparts import plugin


def test_vertical_is_in_the_goods_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("carparts", VerticalGroup.GOODS)
    assert vertical.fulfillment_modes == ("in_store", "pickup_slot", "ship", "delivery")
    assert {"brand", "stock", "variants", "fitment"} <= set(vertical.capabilities)


@pytest.mark.parametrize("mode", ["on-table", "takeaway", "room_service", "appointment"])
async def test_modes_of_other_groups_are_refused(garage, mode):
    refused = await garage.place(line(await garage.item("Bulb")), type=mode)

    assert refused.errors == {"type": ["This store takes: in_store, pickup_slot, ship, delivery."]}
