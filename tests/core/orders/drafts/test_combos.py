"""Combos on orders: a heading, and lines of the items that were chosen, which share the price."""

from dataclasses import dataclass

import pytest
from comanda.devkit.testing.stores import line
from comanda.orders.drafts.combos import split_price
from hypothesis import given
from hypothesis import strategies as st


@dataclass(frozen=True)
class Choice:
    """A choice of a combo, as far as its price matters."""

    price_minor: int
    added_minor: int
    is_included: bool


AMOUNTS = st.integers(0, 300) | st.integers(0, 10**9)
CHOICES = st.lists(st.builds(Choice, AMOUNTS, AMOUNTS, st.booleans()), min_size=1, max_size=8)


@given(base=AMOUNTS, choices=CHOICES)
def test_shares_add_up_to_the_price_and_none_is_below_its_addition(base, choices):
    price = base + sum(each.added_minor for each in choices)

    shares = split_price(price, choices)

    assert sum(shares) == price
    assert all(share >= each.added_minor for share, each in zip(shares, choices, strict=True))
    if any(each.is_included for each in choices):
        assert all(
            share == each.added_minor for share, each in zip(shares, choices, strict=True) if not each.is_included
        )


def test_a_price_is_split_in_proportion_to_what_the_items_cost_alone():
    burger, fries, drink = Choice(900, 0, True), Choice(400, 0, True), Choice(300, 80, True)

    assert split_price(1280, [burger, fries, drink]) == [675, 300, 305]
    assert split_price(100, [Choice(0, 0, True)] * 3) == [34, 33, 33]


@pytest.fixture
async def lunch(store):
    """A set menu of a soup at 7 % and a drink at 19 %, which costs more if it is wine."""
    await store.send("PUT", "/settings", {"tax_rate": 7, "is_tax_included": True})
    soup = await store.item("Soup", 6)
    wine = await store.item("Wine", 5, tax_rate=19, variations=[{"name": "Glass", "price": 5}])
    water = await store.item("Water", 2, tax_rate=19)
    groups = [
        {
            "name": "Starter",
            "min": 1,
            "max": 1,
            "is_required": True,
            "extras": [{"name": "Soup", "item_id": soup["id"]}],
        },
        {
            "name": "Drink",
            "max": 1,
            "extras": [
                {"name": "Water", "item_id": water["id"]},
                {"name": "Wine", "item_id": wine["id"], "variation": wine["variations"][0]["id"], "price": 1.5},
            ],
        },
    ]
    return await store.item("Lunch menu", 7.9, extra_groups=groups)


def choose(combo, *names, **fields):
    """Return a line of a combo with the extras of these names."""
    extras = {extra["name"]: extra["id"] for group in combo["extra_groups"] for extra in group["extras"]}
    return line(combo, **fields) | {"extras": [extras[name] for name in names]}


async def test_an_order_has_lines_of_the_items_with_their_own_taxes(store, lunch):
    order = await store.order(choose(lunch, "Soup", "Wine", quantity=2, note="No bread"))

    heading, soup, wine = order["items"]
    assert [(each["name"], each["quantity"], each["unit_price"], each["note"]) for each in order["items"]] == [
        ("Lunch menu", 2, 0, "No bread"),
        ("Soup", 2, 4.31, "No bread"),
        ("Wine", 2, 5.09, "No bread"),
    ]
    assert order["total"] == order["subtotal"] == 18.8
    assert [(tax["rate"], tax["gross"]) for tax in order["taxes"]] == [(7, 8.62), (19, 10.18)]
    assert wine["variation"]["name"] == "Glass"
    assert [extra["name"] for extra in heading["extras"]] == ["Soup", "Wine"]
    combo = {"id": heading["combo"]["id"], "item_id": lunch["id"], "name": "Lunch menu"}
    assert heading["combo"] == {**combo, "is_heading": True}
    assert soup["combo"] == wine["combo"] == {**combo, "is_heading": False}
    assert (await store.get(f"/orders/{order['id']}"))["items"] == order["items"]


async def test_a_combo_without_enough_choices_is_refused(store, lunch):
    nothing = await store.place(choose(lunch))
    too_many = await store.place(choose(lunch, "Soup", "Water", "Wine"))
    water = await store.item("Juice", 2)
    groups = [{"name": "Drink", "extras": [{"name": "Juice", "item_id": water["id"]}]}]
    free = await store.item("Any drink", 3, extra_groups=groups)

    assert nothing.errors == {
        "items.0.extras": ["Starter: choose at least 1.", "Lunch menu: choose at least one item."]
    }
    assert too_many.errors == {"items.0.extras": ["Drink: choose at most 1."]}
    assert (await store.place(choose(free))).errors == {"items.0.extras": ["Any drink: choose at least one item."]}
    assert (await store.get("/orders"))["total"] == 0


async def test_items_of_a_group_with_a_discount_are_summed_up(store):
    pizza, beer = await store.item("Pizza", 9.5), await store.item("Beer", 3.33)
    extras = [{"name": each["name"], "item_id": each["id"]} for each in (pizza, beer)]
    deal = await store.item(
        "Deal", 0, extra_groups=[{"name": "Any two", "min": 2, "item_discount": 10, "extras": extras}]
    )

    order = await store.order(choose(deal, "Pizza", "Beer"))

    offered = [item for category in await store.public_menu() for item in category["items"] if item["name"] == "Deal"]
    assert [extra["price"] for extra in offered[0]["extra_groups"][0]["extras"]] == [8.55, 3.0]
    assert [each["unit_price"] for each in order["items"]] == [0, 8.55, 3.0]
    assert order["total"] == 11.55


async def test_orders_have_a_highest_number_of_lines_with_those_of_combos(store, lunch):
    refused = await store.place(*[choose(lunch, "Soup", "Water", note=str(place)) for place in range(67)])

    assert refused.errors == {"items": ["An order may have at most 200 lines, items of combos included."]}


async def test_items_of_combos_take_their_stock_and_give_it_back(bazaar):
    lamp, bulb = await bazaar.item("Lamp", 20, stock=3), await bazaar.item("Bulb", 4, stock=5)
    groups = [
        {
            "name": "Parts",
            "min": 2,
            "allows_repeats": True,
            "extras": [{"name": "Lamp", "item_id": lamp["id"]}, {"name": "Bulb", "item_id": bulb["id"]}],
        },
    ]
    bundle = await bazaar.item("Lamp with bulbs", 25, stock=4, extra_groups=groups)

    async def get_stocks():
        return [(await bazaar.get(f"/menu/items/{each['id']}"))["stock"] for each in (bundle, lamp, bulb)]

    chosen = choose(bundle, "Lamp", "Bulb", "Bulb")
    order = await bazaar.order({**chosen, "quantity": 2})
    taken = await get_stocks()
    refused = await bazaar.place(line(await bazaar.item("Shade")), chosen)
    voided = await bazaar.send(
        "POST",
        f"/orders/{order['id']}/lines/{order['items'][2]['id']}/void",
        {"quantity": 1, "reason": "Ordered by mistake"},
    )

    assert taken == [2, 1, 1]
    assert refused.errors == {"items.1.item_id": ["There is not enough of Bulb left."]}
    assert [each["quantity"] for each in voided["items"]] == [1, 1, 1, 1]
    assert voided["total"] == 25
    assert await get_stocks() == [3, 2, 3]
    await bazaar.set_status(order["id"], "cancelled")
    assert await get_stocks() == [4, 3, 5]


async def test_combos_are_split_off_and_discounted_whole(store, lunch, published):
    body = {"type": "on-table", "table_number": "4"}
    order = await store.order(choose(lunch, "Soup", "Water", quantity=2), line(await store.item("Cake", 4)), **body)
    heading, soup, *_ = order["items"]

    given = await store.send(
        "POST", f"/orders/{order['id']}/discounts", {"percent": 100, "line_id": heading["id"], "reason": "Late"}
    )
    split = await store.send(
        "POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": soup["id"], "quantity": 1}]}
    )

    assert (given.status, given["total"]) == (201, 4)
    assert [(each["name"], each["quantity"]) for each in split["items"]] == [
        ("Lunch menu", 1),
        ("Soup", 1),
        ("Water", 1),
    ]
    assert split["total"] == 7.9
    left = await store.get(f"/orders/{order['id']}")
    assert [(each["name"], each["quantity"]) for each in left["items"]] == [
        ("Lunch menu", 1),
        ("Soup", 1),
        ("Water", 1),
        ("Cake", 1),
    ]


async def test_menus_without_combos_say_nothing_of_them(store):
    extras = [{"name": "Olives", "price": 1}]
    await store.item("Pizza", 9, extra_groups=[{"name": "On top", "extras": extras}])

    (group,) = (await store.public_menu())[0]["items"][0]["extra_groups"]

    assert "item_discount" not in group
    assert group["extras"][0].keys() == {"id", "name", "price", "is_sold_out"}
