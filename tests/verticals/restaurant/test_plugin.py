"""The declarations of the restaurant vertical."""

from comanda.contracts import VerticalGroup
from comanda_restaurant import plugin


def test_vertical_is_in_the_food_group():
    (vertical,) = plugin.register_verticals()

    assert (vertical.store_type, vertical.group) == ("restaurant", VerticalGroup.FOOD)
    assert vertical.fulfillment_modes == ("on-table", "takeaway", "delivery", "room_service")
    assert {"modifiers", "dietary", "kds"} <= set(vertical.capabilities)
