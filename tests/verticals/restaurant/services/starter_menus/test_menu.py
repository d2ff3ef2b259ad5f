"""The starter menus."""

import pytest
from comanda_restaurant.services.starter_menus import MENUS, Preset


@pytest.mark.parametrize("preset", Preset)
def test_starter_menu_is_complete(preset):
    menu = MENUS[preset]
    dishes = [dish for course in menu.categories.values() for dish in course]

    assert 5 <= len(menu.categories) <= 8
    assert menu.items_count == len(dishes) >= 25
    assert all(len({dish.name for dish in course}) == len(course) for course in menu.categories.values())
    assert all(dish.description and dish.price > 0 and dish.calories is not None for dish in dishes)
    assert sum(dish.is_vegan for dish in dishes) >= 5
    assert any(dish.is_halal and not dish.is_vegan for dish in dishes)
    assert any(dish.is_popular for dish in dishes)
    assert any(dish.sizes for dish in dishes)
    assert any(dish.extra_groups for dish in dishes)
    assert all(dish.sizes[0][1] == dish.price for dish in dishes if dish.sizes)
