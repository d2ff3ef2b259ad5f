"""The declarations of the pharmacy vertical."""

from comanda.contracts import VerticalGroup
from comanda_pharmacy import plugin

CAPABILITIES = {
    "brand",
    "stock",
    "variants",
    "age_gate",
    "medicine",
    "expiry",
    "packaging",
    "product_safety",
    "shipping",
    "item_times",
}


def test_vertical_is_in_the_goods_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("pharmacy", VerticalGroup.GOODS)
    assert vertical.fulfillment_modes == ("in_store", "pickup_slot", "ship", "delivery")
    assert set(vertical.capabilities) == CAPABILITIES


async def test_pharmacy_has_its_capabilities_and_modes(pharmacy):
    vertical = (await pharmacy.get())["vertical"]

    on = {name for name, is_on in vertical["capabilities"].items() if is_on}
    assert on == CAPABILITIES
    assert vertical["fulfillment_modes"] == ["in_store", "pickup_slot", "ship", "delivery"]
