"""Items: their fields, their choices, and what of them each kind of store shows."""

import dataclasses

import pytest
from comanda import runtime as runtime_module
from comanda.devkit.testing.stores import TestStore
from comanda.runtime import Runtime

PIZZA = {
    "name": "Margherita",
    "description": "Tomato, mozzarella, basil",
    "image_url": "https://example.com/margherita.jpg",
    "price": 9.5,
    "tax_rate": 10,
    "is_popular": True,
    "is_active": True,
    "position": 4,
    "is_vegan": False,
    "is_halal": True,
    "calories": 820,
}
CHOICES = {
    "variations": [{"name": "Small", "price": 7}, {"name": "Large", "price": 12.25}],
    "extra_groups": [
        {
            "name": "Cheese",
            "is_required": True,
            "max": 2,
            "free_count": 1,
            "allows_repeats": True,
            "extras": [{"name": "Burrata", "price": 3}, {"name": "Ricotta", "price": 0.5, "is_sold_out": True}],
        }
    ],
}


async def test_an_item_shows_everything_that_was_given_for_it(store):
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


async def test_an_item_of_a_food_store_has_the_specified_fields_and_no_goods_fields(store):
    made = await store.item("Soup", brand="Acme", stock=3)

    assert {"id", "name", "price", "is_sold_out", "is_popular", "is_vegan", "is_halal", "calories"} <= made.keys()
    assert (made["is_vegan"], made["is_halal"], made["calories"]) == (False, False, None)
    assert not {"brand", "stock", "variants_count"} & made.keys()


async def test_an_item_of_a_goods_store_has_brand_stock_and_variants_count_instead(bazaar):
    made = await bazaar.item("Lamp", brand=" Acme ", stock=3, is_vegan=True, calories=800, variations=[])

    assert (made["brand"], made["stock"], made["variants_count"]) == ("Acme", 3, 0)
    assert not {"is_vegan", "is_halal", "calories"} & made.keys()
    guests = (await bazaar.public_menu())[0]["items"][0]
    assert (guests["brand"], guests["stock"], guests["variants_count"]) == ("Acme", 3, 0)
    assert not {"is_vegan", "is_halal", "calories"} & guests.keys()


async def test_fields_left_out_of_a_change_stay_and_null_empties_only_what_may_be_empty(store):
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


async def test_a_list_of_choices_replaces_the_old_one_and_keeps_those_named_by_id(store):
    made = await store.item(**PIZZA, **CHOICES)
    small, _ = made["variations"]
    group = made["extra_groups"][0]
    burrata, _ = group["extras"]

    changed = await store.send(
        "PUT",
        f"/menu/items/{made['id']}",
        {
            "variations": [{"name": "Family", "price": 20}, {"id": small["id"], "name": "Small", "price": 8}],
            "extra_groups": [
                {
                    "id": group["id"],
                    "name": "Cheeses",
                    "extras": [{"name": "Feta", "price": 1}, {"id": burrata["id"], "name": "Burrata", "price": 4}],
                },
                {"name": "Sauces", "extras": []},
            ],
        },
    )

    assert [(row["name"], row["price"]) for row in changed["variations"]] == [("Family", 20), ("Small", 8)]
    assert changed["variations"][1]["id"] == small["id"]
    cheeses, sauces = changed["extra_groups"]
    assert (cheeses["id"], cheeses["name"], cheeses["min"], cheeses["max"]) == (group["id"], "Cheeses", 0, None)
    assert [(row["name"], row["price"]) for row in cheeses["extras"]] == [("Feta", 1), ("Burrata", 4)]
    assert cheeses["extras"][1]["id"] == burrata["id"]
    assert (sauces["name"], sauces["extras"]) == ("Sauces", [])


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
async def test_what_makes_no_sense_is_refused_on_creation_and_on_change_and_nothing_is_written(
    store, published, change, field
):
    made = await store.item(**PIZZA, **CHOICES)
    before = (await store.get("/menu")).document
    told = await published()

    created = await store.send("POST", "/menu/items", {**PIZZA, "category_id": made["category_id"], **change})
    changed = await store.send("PUT", f"/menu/items/{made['id']}", {"description": "New", **change})

    assert created.errors.keys() == {field}
    assert changed.errors.keys() == {field}
    assert (await store.get("/menu")).document == before
    assert await published() == told


async def test_a_choice_of_another_item_cannot_be_taken_over(store):
    pizza = await store.item(**PIZZA, **CHOICES)
    salad = await store.item("Salad")
    theirs = pizza["variations"][0]["id"]

    refused = await store.send(
        "PUT", f"/menu/items/{salad['id']}", {"variations": [{"id": theirs, "name": "Mine", "price": 1}]}
    )

    assert refused.errors.keys() == {"variations.0.id"}
    assert (await store.get(f"/menu/items/{pizza['id']}")).document == pizza


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
async def test_an_item_of_another_store_or_owner_looks_missing(store, owner, client, other_owner, method, suffix, body):
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


async def test_amounts_have_the_currencys_decimals(client, owner):
    yen = TestStore(client, owner, await owner.store(currency="JPY"))
    dinar = TestStore(client, owner, await owner.store(currency="KWD"))

    assert (await yen.item("Ramen", 900))["price"] == 900
    assert (await dinar.item("Machboos", 2.125))["price"] == 2.125
    refused = await yen.send("POST", "/menu/items", {"name": "R", "price": 9.5, "category_id": await yen.category()})
    assert refused.errors == {"price": ["An amount in JPY has no decimals."]}


async def test_guests_find_an_items_price_variations_groups_and_extras(store):
    made = await store.item(**PIZZA, **CHOICES)

    (category,) = await store.public_menu()

    assert category.keys() == {"id", "name", "items"}
    assert category["items"][0].items() <= made.items()
    owners_alone = {"category_id", "tax_rate", "sold_out_until", "is_active", "position"}
    assert made.keys() - category["items"][0].keys() == owners_alone


async def test_fields_of_a_capability_that_is_gone_are_kept_for_its_return(bazaar, runtime):
    lamp = await bazaar.item("Lamp", brand="Lumen")
    with_brands = runtime_module.current()
    without = dataclasses.replace(with_brands.registry, item_capabilities={})

    runtime_module.use(Runtime(runtime.settings, without))
    changed = await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"name": "Old lamp"})
    runtime_module.use(with_brands)

    assert (changed.status, "brand" in changed.document) == (200, False)
    back = await bazaar.get(f"/menu/items/{lamp['id']}")
    assert (back["name"], back["brand"]) == ("Old lamp", "Lumen")
