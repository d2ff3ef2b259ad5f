"""Extras that are items: who may define them, and when they can be had."""

import pytest
from comanda.devkit.testing.stores import TestStore
from comanda.platform.db import sql


def to_group(*items, name="Main", **fields):
    extras = [{"name": item["name"], "item_id": item["id"]} for item in items]
    return {"name": name, "min": 1, "is_required": True, "extras": extras, **fields}


@pytest.fixture
async def fish(store):
    return await store.item("Fish", 12)


@pytest.fixture
async def combo(store, fish):
    return await store.item("Set menu", 15, extra_groups=[to_group(fish, await store.item("Stew", 9))])


async def list_choices(store):
    """Return the choices of the set menu for guests: what can be had of it, and what each adds to its price."""
    items = [item for category in await store.public_menu() for item in category["items"]]
    extras = [extra for item in items if item["name"] == "Set menu" for extra in item["extra_groups"][0]["extras"]]
    return [(extra["name"], extra["price"], extra["is_sold_out"]) for extra in extras]


async def test_a_choice_is_sold_out_while_its_item_cannot_be_ordered(store, fish, combo):
    seen = [await list_choices(store)]
    required = [{"name": "How", "min": 1, "extras": [{"name": "Grilled"}]}]
    for change in (
        {"is_active": False},
        {"is_active": True, "is_sold_out": True},
        {"is_sold_out": False, "extra_groups": required},
        {"extra_groups": []},
    ):
        await store.send("PUT", f"/menu/items/{fish['id']}", change)
        seen.append(await list_choices(store))

    had, gone = [("Fish", 0, False), ("Stew", 0, False)], [("Fish", 0, True), ("Stew", 0, False)]
    assert seen == [had, gone, gone, gone, had]


async def test_a_choice_is_deleted_with_its_item(store, fish, combo):
    await store.send("DELETE", f"/menu/items/{fish['id']}")

    assert await list_choices(store) == [("Stew", 0, False)]


async def test_owners_change_a_combo_and_read_it_back(store, combo):
    groups = combo["extra_groups"]
    groups[0]["extras"][0]["price"] = 2.5
    groups[0]["item_discount"] = 12.5

    changed = await store.send("PUT", f"/menu/items/{combo['id']}", {"extra_groups": groups})

    assert changed["extra_groups"] == groups
    assert await list_choices(store) == [("Fish", 13, False), ("Stew", 7.87, False)]


@pytest.mark.parametrize("what", ["foreign", "itself", "combo", "choices", "variation", "plain", "part"])
async def test_what_cannot_be_a_choice_is_refused_with_a_sentence(client, store, other_owner, fish, combo, what):
    foreign = await TestStore(client, other_owner, await other_owner.store()).item("Theirs", 5)
    steak = await store.item("Steak", 20, extra_groups=[{"name": "How", "min": 1, "extras": [{"name": "Rare"}]}])
    item = await store.item("New", 10)
    path = "extra_groups.0.extras.0.item_id"
    groups, errors = {
        "foreign": ([to_group(foreign)], {path: [f"This store has no item {foreign['id']}."]}),
        "itself": ([to_group(item)], {path: ["New is a combo itself."]}),
        "combo": ([to_group(combo)], {path: ["Set menu is a combo itself."]}),
        "choices": ([to_group(steak)], {path: ["Steak has extras of which guests have to choose."]}),
        "variation": (
            [{"name": "Main", "extras": [{"name": "Fish", "item_id": fish["id"], "variation": 1}]}],
            {"extra_groups.0.extras.0.variation": ["Fish has no variation 1."]},
        ),
        "plain": (
            [{"name": "Main", "extras": [{"name": "Bread"}, {"name": "Fish", "item_id": fish["id"]}]}],
            {path: ["A combo consists of items only."]},
        ),
        "part": ([to_group(item)], {"extra_groups": ["This item is part of a combo, so it cannot be a combo itself."]}),
    }[what]
    target = fish if what == "part" else item

    refused = await store.send("PUT", f"/menu/items/{target['id']}", {"extra_groups": groups})

    assert (refused.status, refused.errors) == (422, errors)
    assert await sql.fetch_value("SELECT count(*) FROM core_extra_group WHERE item_id = $1", target["id"]) == 0
