"""The set menu of the demo restaurant."""

from comanda_restaurant.demo.combos import STEPS
from comanda_restaurant.demo.menu import MENU


def test_choices_are_items_that_need_no_choices_of_their_own():
    items = {item.name: item for items in MENU.values() for item in items}

    chosen = [(items[name], size) for choices in STEPS.values() for name, size in choices]

    assert [item.name for item, _ in chosen if any(group.min for group in item.extra_groups)] == []
    assert [item.name for item, _ in chosen if item.is_sold_out] == []
    assert all(size is None or size in dict(item.sizes) for item, size in chosen)
