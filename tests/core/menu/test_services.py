"""Management of items."""

import pytest
from comanda.devkit.testing.stores import TestStore
from menus import CHOICES, PIZZA


async def test_item_has_all_given_fields(store):
    made = await store.item(**PIZZA, **CHOICES)

    ids = [row["id"] for row in made["variations"]]
    group = made["extra_groups"][0]
    assert {name: made[name] for name in PIZZA} == PIZZA
    assert made["variations"] == [
        {"id": ids[0], "name": "Small", "price": 7, "is_sold_out": False},
        {"id": ids[1], "name": "Large", "price": 12.25, "is_sold_out": False},
    ]
    assert {**group, "extras": None} == {
        "id": group["id"],
        "name": "Cheese",
        "is_required": True,
        "min": 1,
        "max": 2,
        "free_count": 1,
        "allows_repeats": True,
        "extras": None,
    }
    assert [(extra["name"], extra["price"], extra["is_sold_out"]) for extra in group["extras"]] == [
        ("Burrata", 3, False),
        ("Ricotta", 0.5, True),
    ]
    assert (await store.get(f"/menu/items/{made['id']}")).document == made
    assert (await store.get("/menu"))[0]["items"] == [made]


async def test_omitted_fields_stay_and_null_clears_optional_ones(store):
    made = await store.item(**PIZZA, **CHOICES)
    path = f"/menu/items/{made['id']}"

    renamed = await store.send("PUT", path, {"name": "Regina", "price": None, "is_popular": None})
    emptied = await store.send("PUT", path, {"description": None, "image_url": None, "tax_rate": None})
    counted = await store.send("PUT", path, {"calories": 640})

    assert renamed.document == {**made, "name": "Regina"}
    assert emptied.document == {**renamed.document, "description": None, "image_url": None, "tax_rate": None}
    assert counted.document == {**emptied.document, "calories": 640}


async def test_each_change_of_an_item_is_announced_once(store, published):
    made = await store.item(**PIZZA, **CHOICES)
    await store.send("PUT", f"/menu/items/{made['id']}", {"price": 10, **CHOICES})
    await store.send("DELETE", f"/menu/items/{made['id']}")

    told = [(data["change"], data["id"]) for name, data in await published() if data["entity"] == "item"]
    assert told == [("created", made["id"]), ("updated", made["id"]), ("deleted", made["id"])]
    assert {name for name, _ in await published()} == {"menu.updated"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u0000\u0007"}, "name"),
        ({"price": -1}, "price"),
        ({"price": True}, "price"),
        ({"price": 1.005}, "price"),
        ({"price": 10**11}, "price"),
        ({"tax_rate": 101}, "tax_rate"),
        ({"tax_rate": 8.87501}, "tax_rate"),
        ({"image_url": "javascript:alert(1)"}, "image_url"),
        ({"category_id": 2**40}, "category_id"),
        ({"category_id": "soup"}, "category_id"),
        ({"calories": -1}, "calories"),
        ({"calories": True}, "calories"),
        ({"is_vegan": "somewhat"}, "is_vegan"),
        ({"position": 10**7}, "position"),
        ({"variations": [{"name": "Large"}]}, "variations.0.price"),
        ({"variations": [{"id": 2**40, "name": "Large", "price": 1}]}, "variations.0.id"),
        ({"variations": [{"name": "Large", "price": 0.001}]}, "variations.0.price"),
        ({"extra_groups": [{"name": "Cheese", "min": 3, "max": 2}]}, "extra_groups.0.max"),
        ({"extra_groups": [{"name": "Cheese", "max": 0}]}, "extra_groups.0.max"),
        ({"extra_groups": [{"id": 2**40, "name": "Cheese"}]}, "extra_groups.0.id"),
        ({"extra_groups": [{"name": "Cheese", "extras": [{"price": 1}]}]}, "extra_groups.0.extras.0.name"),
        (
            {"extra_groups": [{"name": "Cheese", "extras": [{"id": 2**40, "name": "Feta"}]}]},
            "extra_groups.0.extras.0.id",
        ),
    ],
)
async def test_invalid_items_are_refused(store, published, change, field):
    made = await store.item(**PIZZA, **CHOICES)
    before = (await store.get("/menu")).document
    told = await published()

    created = await store.send("POST", "/menu/items", {**PIZZA, "category_id": made["category_id"], **change})
    changed = await store.send("PUT", f"/menu/items/{made['id']}", {"description": "New", **change})

    assert created.errors.keys() == {field}
    assert changed.errors.keys() == {field}
    assert (await store.get("/menu")).document == before
    assert await published() == told


async def test_the_category_must_be_of_the_same_store(store, owner, client, other_owner):
    sister = TestStore(client, owner, await owner.store())
    stranger = TestStore(client, other_owner, await other_owner.store())

    for elsewhere in (sister, stranger):
        body = {"name": "Soup", "price": 1, "category_id": await elsewhere.category("Theirs")}
        assert (await store.send("POST", "/menu/items", body)).errors.keys() == {"category_id"}


@pytest.mark.parametrize(
    ("method", "suffix", "body"),
    [("GET", "", None), ("PUT", "", {"name": "Mine"}), ("DELETE", "", None), ("PATCH", "/sold-out", {})],
)
async def test_item_of_other_store_or_owner_is_404(store, owner, client, other_owner, method, suffix, body):
    soup = await store.item()
    sister = TestStore(client, owner, await owner.store())
    stranger = TestStore(client, other_owner, await other_owner.store())
    intruder = TestStore(client, other_owner, store.id)

    for elsewhere in (sister, stranger, intruder):
        assert (await elsewhere.send(method, f"/menu/items/{soup['id']}{suffix}", body)).status == 404
    assert (await store.get(f"/menu/items/{soup['id']}")).document == soup


async def test_an_inactive_item_is_the_owners_alone(store):
    soup = await store.item("Soup", is_active=False)

    assert await store.public_items() == []
    assert (await store.get("/menu"))[0]["items"] == [soup]
    refused = await store.place({"item_id": soup["id"]})
    assert refused.errors == {"items.0.item_id": ["Soup is not on the menu now."]}
