"""Lines by weight: the price of a kilogram times what a piece weighs, rounded once, and kept as it was ordered."""

from fractions import Fraction

import pytest
from comanda.basics import MAX_MINOR
from comanda.devkit.testing import line
from comanda_goods.services.weights import compute_price
from hypothesis import given
from hypothesis import strategies as st


async def create_cheese(store, **fields):
    return await store.item("Cheese", 12.9, is_priced_per_kg=True, **fields)


def label(weight, per_kg):
    return f"{weight} kg \N{MULTIPLICATION SIGN} €{per_kg}/kg"


def get_prices(order):
    return [(each["quantity"], each["unit_price"], each["price_label"]) for each in order["items"]]


async def add_round(store, order, *lines):
    return await store.send("POST", f"/orders/{order['id']}/lines", {"items": list(lines)})


@given(per_kg=st.integers(0, MAX_MINOR), weight_mg=st.integers(1000, 10**9))
def test_the_price_is_the_product_rounded_half_up(per_kg, weight_mg):
    price, exact = compute_price(per_kg, weight_mg), Fraction(per_kg * weight_mg, 10**6)

    assert exact - Fraction(1, 2) < price <= exact + Fraction(1, 2)


async def test_a_line_costs_what_it_weighs(store):
    cheese = await create_cheese(store)

    order = await store.order(line(cheese, weight_g=432), line(cheese, 2, weight_g=432.481))

    assert get_prices(order) == [
        (1, 5.57, label("0.432", "12.90")), (2, 5.58, label("0.432481", "12.90")),
    ]  # fmt: skip
    assert order["total"] == 16.73


async def test_extras_are_per_piece_and_variations_have_prices_of_their_own(store):
    cheese = await create_cheese(
        store, variations=[{"name": "Young", "price": 12.9}, {"name": "Old", "price": 20}],
        extra_groups=[{"name": "Cut", "extras": [{"name": "Sliced", "price": 0.5}]}],
    )  # fmt: skip
    old, sliced = cheese["variations"][1]["id"], cheese["extra_groups"][0]["extras"][0]["id"]

    order = await store.order(line(cheese, 3, variation=old, extras=[sliced], weight_g=250))

    assert get_prices(order) == [(3, 5.5, label("0.250", "20.00"))]


async def test_a_line_without_a_weight_has_the_usual_one(store):
    order = await store.order(line(await create_cheese(store, usual_weight_g=1500)))

    assert get_prices(order) == [(1, 19.35, label("1.500", "12.90"))]


async def test_what_is_sold_by_weight_is_refused_without_one(store):
    soup = await store.item("Soup", 5)

    unweighed = await store.place(line(soup), line(await create_cheese(store)))
    weighed = await store.place(line(soup, weight_g=300))

    assert (unweighed.status, unweighed.errors) == (
        422, {"items.1.weight_g": ["Cheese is sold by weight: it is weighed at the counter."]},
    )  # fmt: skip
    assert (weighed.status, weighed.errors) == (422, {"items.0.weight_g": ["Soup is not sold by weight."]})
    assert (await store.get("/orders"))["data"] == []


@pytest.mark.parametrize("weight", [0, 0.5, -3, 1_000_001, 12.3456, True, "heavy"])
async def test_weights_are_bounded(store, weight):
    refused = await store.place(line(await create_cheese(store), weight_g=weight))

    assert (refused.status, list(refused.errors)) == (422, ["items.0.weight_g"])


async def test_a_weight_that_costs_too_much_is_refused(store):
    gold = await store.item("Gold", 9_000_000_000, is_priced_per_kg=True)

    refused = await store.place(line(gold, weight_g=1_000_000))

    assert refused.errors == {"items.0.weight_g": ["This weight costs more than an order may."]}


async def test_rounds_are_weighed_and_lines_keep_price_and_label(store):
    cheese = await create_cheese(store)
    order = await store.order(line(cheese, weight_g=432))
    await store.send("PUT", f"/menu/items/{cheese['id']}", {"price": 20})

    refused = await add_round(store, order, line(cheese))
    added = await add_round(store, order, line(cheese, weight_g=100))

    assert list(refused.errors) == ["items.1.weight_g"]
    assert get_prices(added) == [(1, 5.57, label("0.432", "12.90")), (1, 2.0, label("0.100", "20.00"))]
    assert added["total"] == 7.57


async def test_lines_that_are_split_off_or_merged_keep_their_prices(store):
    cheese, soup = await create_cheese(store), await store.item("Soup", 5)
    order = await store.order(line(cheese, 2, weight_g=432), line(soup))
    await store.send("PUT", f"/menu/items/{cheese['id']}", {"price": 20})

    line_id = order["items"][0]["id"]
    split = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": line_id, "quantity": 1}]})
    assert get_prices(split) == [(1, 5.57, label("0.432", "12.90"))]
    merged = await store.send("POST", f"/orders/{order['id']}/merge", {"order_id": split["id"]})

    assert get_prices(merged) == [
        (1, 5.57, label("0.432", "12.90")), (1, 5.0, None), (1, 5.57, label("0.432", "12.90")),
    ]  # fmt: skip


async def test_what_is_sold_by_weight_is_no_part_of_a_combo(store):
    cheese = await create_cheese(store, usual_weight_g=200)
    group = {"name": "Course", "min": 1, "extras": [{"name": "Cheese", "item_id": cheese["id"]}]}
    lunch = await store.item("Lunch", 11, is_combo=True, extra_groups=[group])

    refused = await store.place(line(lunch, extras=[lunch["extra_groups"][0]["extras"][0]["id"]]))

    assert refused.errors == {"items.0": ["Cheese is sold by weight, so it cannot be part of a combo."]}
