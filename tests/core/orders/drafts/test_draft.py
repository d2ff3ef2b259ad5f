"""Variations and extras of order lines."""

import pytest
from comanda.devkit.testing.stores import line

EXTRAS = [{"name": "Feta", "price": 1}, {"name": "Burrata", "price": 3}, {"name": "Basil", "price": 0.5}]


async def pizza_with(store, **group):
    pizza = await store.item("Pizza", 9, extra_groups=[{"name": "Toppings", "extras": EXTRAS, **group}])
    return pizza, [extra["id"] for extra in pizza["extra_groups"][0]["extras"]]


async def test_variation_replaces_price_and_extras_add_to_it(store):
    pizza = await store.item(
        "Pizza",
        9,
        variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "extras": EXTRAS}],
    )
    large = pizza["variations"][0]["id"]
    feta, _, basil = (extra["id"] for extra in pizza["extra_groups"][0]["extras"])

    order = await store.order(
        line(pizza, 2),
        line(pizza, 2, variation=large),
        line(pizza, 2, extras=[basil, feta]),
        line(pizza, 2, variation=large, extras=[feta]),
    )

    assert [kept["unit_price"] for kept in order["items"]] == [9, 12, 10.5, 13]
    assert [kept["line_total"] for kept in order["items"]] == [18, 24, 21, 26]
    assert order["total"] == 89


@pytest.mark.parametrize(
    ("group", "chosen", "sentences"),
    [
        ({"is_required": True}, [], ["Toppings: choose at least 1."]),
        ({"min": 2}, [0], ["Toppings: choose at least 2."]),
        ({"max": 1}, [0, 1], ["Toppings: choose at most 1."]),
        ({}, [0, 0], ["Toppings: Feta can only be chosen once."]),
        ({"allows_repeats": True, "max": 2}, [0, 0, 0], ["Toppings: choose at most 2."]),
        ({"max": 1}, [1, 1], ["Toppings: Burrata can only be chosen once.", "Toppings: choose at most 1."]),
    ],
)
async def test_group_errors_name_the_group(store, group, chosen, sentences):
    pizza, extras = await pizza_with(store, **group)

    refused = await store.place(line(pizza, extras=[extras[number] for number in chosen]))

    assert refused.errors == {"items.0.extras": sentences}
    assert (await store.get("/orders"))["total"] == 0


@pytest.mark.parametrize(
    ("group", "chosen", "unit_price"),
    [
        ({}, [], 9),
        ({"min": 1, "max": 3}, [0, 1, 2], 13.5),
        ({"allows_repeats": True}, [1, 1, 0], 16),
        ({"free_count": 1}, [0], 9),
        ({"free_count": 1}, [1, 2], 12),
        ({"free_count": 1}, [2, 1], 12),
        ({"free_count": 2, "allows_repeats": True}, [0, 0, 1], 12),
        ({"free_count": 5}, [0, 1, 2], 9),
    ],
)
async def test_the_cheapest_extras_are_free(store, group, chosen, unit_price):
    pizza, extras = await pizza_with(store, **group)

    order = await store.order(line(pizza, 3, extras=[extras[number] for number in chosen]))

    assert order["items"][0]["unit_price"] == unit_price
    assert order["total"] == unit_price * 3


async def test_repeated_extras_are_combined_with_a_quantity(store):
    pizza, (feta, _, basil) = await pizza_with(store, allows_repeats=True)

    order = await store.order(line(pizza, extras=[basil, feta, basil]))

    assert order["items"][0]["extras"] == [
        {"id": feta, "name": "Feta", "price": 1, "quantity": 1},
        {"id": basil, "name": "Basil", "price": 0.5, "quantity": 2},
    ]
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_extras_and_variations_of_another_item_are_refused(store):
    pizza, (feta, *_) = await pizza_with(store)
    salad = await store.item("Salad", 5, variations=[{"name": "Half", "price": 3}])

    extras = await store.place(line(salad, extras=[feta]))
    variation = await store.place(line(pizza, variation=salad["variations"][0]["id"]))

    assert extras.errors == {"items.0.extras": [f"Salad has no extra {feta}."]}
    assert variation.errors == {
        "items.0.variation": [f"Pizza has no variation {salad['variations'][0]['id']}."],
    }


async def test_a_sold_out_extra_is_refused_by_name(store):
    pizza = await store.item(
        "Pizza", 9, extra_groups=[{"name": "Toppings", "extras": [{"name": "Feta", "is_sold_out": True}]}]
    )
    feta = pizza["extra_groups"][0]["extras"][0]["id"]

    assert (await store.place(line(pizza, extras=[feta]))).errors == {"items.0.extras": ["Feta is sold out."]}
    assert (await store.place(line(pizza))).status == 201


async def test_an_inactive_variant_cannot_be_ordered(store):
    pizza = await store.item("Pizza", 9, variations=[{"name": "Large", "price": 12}])
    large = pizza["variations"][0]["id"]
    await store.send("PUT", f"/menu/items/{pizza['id']}/variants/{large}", {"is_active": False})

    refused = await store.place(line(pizza, variation=large))

    assert refused.errors == {"items.0.variation": [f"Pizza has no variation {large}."]}
