"""The starter menus."""

import pytest
from comanda_restaurant.services.starter_menus import MENUS, Preset


@pytest.mark.parametrize("preset", Preset)
def test_starter_menu_is_complete(preset):
    menu = MENUS[preset]
    items = [item for course in menu.categories.values() for item in course]

    assert 5 <= len(menu.categories) <= 8
    assert menu.items_count == len(items) >= 25
    assert all(len({item.name for item in course}) == len(course) for course in menu.categories.values())
    assert all(item.description and item.price > 0 and item.calories is not None for item in items)
    assert sum(item.is_vegan for item in items) >= 5
    assert any(item.is_halal and not item.is_vegan for item in items)
    assert any(item.is_popular for item in items)
    assert any(item.sizes for item in items)
    assert any(item.extra_groups for item in items)
    assert all(item.sizes[0][1] == item.price for item in items if item.sizes)
