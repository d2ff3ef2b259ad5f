"""Combos in files: they come back into their own menu, and nothing else becomes a choice."""

import pytest
from comanda.devkit.testing import TestStore
from menus import import_menu, to_counts


@pytest.fixture
async def combo(store):
    """A set menu of two dishes."""
    dishes = [await store.item(name, 12) for name in ("Fish", "Stew")]
    return await store.item("Set menu", 15, extra_groups=[to_group(*dishes)])


def to_group(*items):
    return {"name": "Dish", "min": 1, "extras": [{"name": item["name"], "item_id": item["id"]} for item in items]}


async def export(store):
    return await store.send("GET", "/menu/export?format=json")


async def test_a_file_with_combos_changes_nothing_in_its_own_menu(store, combo):
    exported = await export(store)

    assert to_counts(await import_menu(store, exported["menu"])) == (0, 0, 3, 0)


async def test_another_menu_has_none_of_the_choices(client, store, owner, combo):
    exported = await export(store)
    other = TestStore(client, owner, await owner.store())

    refused = await import_menu(other, exported["menu"])

    assert refused.status == 422
    [fish, stew] = combo["extra_groups"][0]["extras"]
    assert sorted(text for texts in refused["errors"].values() for text in texts) == sorted(
        f"This store has no item {each['item_id']}." for each in (fish, stew)
    )


async def test_a_file_cannot_put_a_combo_into_a_combo(store, combo):
    outer = {"name": "New", "price": 9, "extra_groups": [to_group(combo)]}
    part = {"name": "Fish", "extra_groups": [to_group(await store.item("Salad", 4))]}

    refused = await import_menu(store, [{"name": "Other", "items": [outer]}])
    refused_part = await import_menu(store, [{"name": "For Fish", "items": [part]}])

    assert refused["errors"] == {"menu.0.items.0.extra_groups.0.extras.0.item_id": ["Set menu is a combo itself."]}
    assert refused_part["errors"]["menu.0.items.0.extra_groups"] == [
        "This item is part of a combo, so it cannot be a combo itself."
    ]
