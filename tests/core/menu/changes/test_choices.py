"""Variations and groups of extras of an item."""

from menus import CHOICES, PIZZA


async def test_choices_are_replaced_and_matched_by_id(store):
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


async def test_choices_of_another_item_are_refused(store):
    pizza = await store.item(**PIZZA, **CHOICES)
    salad = await store.item("Salad")
    theirs = pizza["variations"][0]["id"]

    refused = await store.send(
        "PUT", f"/menu/items/{salad['id']}", {"variations": [{"id": theirs, "name": "Mine", "price": 1}]}
    )

    assert refused.errors.keys() == {"variations.0.id"}
    assert (await store.get(f"/menu/items/{pizza['id']}")).document == pizza
