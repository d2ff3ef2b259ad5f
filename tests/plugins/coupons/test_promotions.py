"""Promotions in orders of every channel, and in their amendments."""

from dataclasses import replace

import pytest
from comanda.devkit.testing import line

EVERY_THIRD = {"name": "Every third free", "type": "nth_free", "value": None, "quantity": 3}
TWO_FOR_ONE = {**EVERY_THIRD, "name": "Two for one", "quantity": 2}
HAPPY_HOUR = {"name": "Happy hour", "valid_at": [{"from": "17:00", "until": "19:00"}]}


def get_amounts(order):
    return {each["name"]: each["amount"] for each in order["promotions"]}


async def test_order_without_promotions_is_as_before(shop):
    order = await shop.order(line(shop.soup))

    assert "promotions" not in order
    assert (order["discount_total"], order["total"]) == (0, 10)


@pytest.mark.parametrize(
    ("terms", "discount"),
    [
        ({"value": 12.5}, 3),
        ({"type": "fixed", "value": 7}, 7),
        ({"type": "fixed", "value": 100}, 24),
        ({"type": "price_cut", "value": 1.5}, 4.5),
        (EVERY_THIRD, 4),
        (TWO_FOR_ONE, 10),
        ({"type": "bundle", "value": 12, "quantity": 2}, 8),
        ({"value": 50, "max_discount": 5}, 5),
        ({"value": 50, "min_subtotal": 24.01}, 0),
        ({"value": 50, "modes": ["delivery"]}, None),
        ({"value": 50, "channels": ["storefront"]}, None),
        ({"value": 50, "channels": ["owner"]}, 12),
        ({"value": 50, "is_active": False}, None),
        ({"value": 50, "ends_at": "2030-01-07T09:00:00Z"}, None),
        ({"value": 50, "starts_at": "2030-01-07T09:00:00Z"}, 12),
    ],
)
async def test_promotion_follows_terms(shop, terms, discount):
    promotion = await shop.promotion(**terms)

    order = await shop.order(line(shop.soup, 2), line(shop.cake))

    assert (order["discount_total"], order["total"]) == (discount or 0, 24 - (discount or 0))
    assert sum(item["discount"] for item in order["items"]) == (discount or 0)
    if discount is None:
        assert "promotions" not in order
    else:
        known = {"id": promotion["id"], "name": promotion["name"], "amount": discount, "rounds": [1]}
        assert order["promotions"] == [known]
    assert (await shop.get(f"/orders/{order['id']}")).document == order


async def test_quote_costs_what_the_order_costs(shop):
    await shop.promotion(**TWO_FOR_ONE)
    body = {"type": "takeaway", "items": [line(shop.soup, 2)]}

    quote = (await shop.send("POST", "/orders/quote", body)).document

    assert (quote["discount_total"], quote["total"]) == (10, 10)
    assert get_amounts(quote) == {"Two for one": 10}
    assert (await shop.order(line(shop.soup, 2)))["total"] == 10


async def test_line_has_the_promotion_that_takes_most_off(shop):
    await shop.promotion(name="A tenth off soup", item_ids=[shop.soup["id"]])
    await shop.promotion(**TWO_FOR_ONE, category_ids=[shop.soup["category_id"], shop.cake["category_id"]])
    await shop.promotion(name="Half of cake", value=50, item_ids=[shop.cake["id"]])

    one = await shop.order(line(shop.soup))
    two = await shop.order(line(shop.soup), line(shop.cake), line(shop.cake))

    assert (get_amounts(one), one["total"]) == ({"A tenth off soup": 1, "Two for one": 0}, 9)
    # Half of two cakes and two for one are 4 each; the older of equal ones is taken, and leaves nothing to the others.
    assert get_amounts(two) == {"Two for one": 4, "A tenth off soup": 0, "Half of cake": 0}
    assert two["total"] == 14


async def test_order_promotion_and_coupon_take_off_what_is_left(shop):
    await shop.promotion(name="Half of soup", value=50, item_ids=[shop.soup["id"]])
    await shop.promotion(name="Order")
    await shop.promotion(name="Less", value=5)
    await shop.coupon("SOUP", value=50, item_ids=[shop.soup["id"]])

    order = await shop.place_order(line(shop.soup), line(shop.cake), code="SOUP")

    # 10 + 4 - 5 of soup = 9, less 0.90 leaves 4.50 of soup, and half of that is 2.25.
    assert get_amounts(order) == {"Half of soup": 5, "Order": 0.9, "Less": 0}
    assert (order["discount_total"], order["coupon_code"], order["total"]) == (8.15, "SOUP", 5.85)


async def test_guests_of_the_storefront_need_no_code(shop):
    await shop.promotion()

    order = await shop.place_order(line(shop.soup), code=None)
    shop.channel = replace(shop.channel, audience="mcp")
    agent = await shop.place_order(line(shop.soup), code=None)

    assert (order["total"], order["coupon_code"], agent["total"]) == (9, None, 9)


async def test_third_makes_the_third_free_and_a_void_takes_it_back(shop):
    await shop.promotion(**EVERY_THIRD, item_ids=[shop.cake["id"]])
    order = await shop.order(line(shop.cake, 2), line(shop.soup))

    third = await shop.amend(order, "lines", {"items": [line(shop.cake)]})
    voided = await shop.amend(order, f"lines/{third['items'][2]['id']}/void", {"reason": "Spilt"})

    assert (get_amounts(order), order["total"]) == ({"Every third free": 0}, 18)
    assert (get_amounts(third), third["total"]) == ({"Every third free": 4}, 18)
    assert (get_amounts(voided), voided["total"]) == ({"Every third free": 0}, 18)
    assert third["promotions"][0]["rounds"] == [1, 2]


async def test_happy_hour_counts_for_the_rounds_of_its_time(shop, clock):
    await shop.promotion(**HAPPY_HOUR, value=50)
    clock.advance(hours=9)
    order = await shop.order(line(shop.cake))
    clock.advance(hours=2)

    late = await shop.amend(order, "lines", {"items": [line(shop.cake)]})
    again = await shop.amend(order, "lines", {"items": [line(shop.soup)]})

    assert (order["total"], late["total"], again["total"]) == (2, 6, 16)
    assert again["promotions"] == order["promotions"]


async def test_round_before_happy_hour_keeps_its_price(shop, clock):
    await shop.promotion(**HAPPY_HOUR, value=50)
    order = await shop.order(line(shop.soup))
    clock.advance(hours=9)

    amended = await shop.amend(order, "lines", {"items": [line(shop.cake)]})

    assert ("promotions" in order, amended["total"]) == (False, 12)
    assert [item["discount"] for item in amended["items"]] == [0, 2]
    assert amended["promotions"][0]["rounds"] == [2]


async def test_open_check_keeps_a_promotion_that_is_deleted(shop):
    promotion = await shop.promotion(value=50)
    order = await shop.order(line(shop.soup))
    await shop.send("DELETE", f"/promotions/{promotion['id']}")

    amended = await shop.amend(order, "lines", {"items": [line(shop.cake)]})

    assert (order["total"], amended["total"]) == (5, 9)
    assert (await shop.order(line(shop.soup)))["total"] == 10


async def test_merged_check_has_the_promotions_of_both(shop, clock):
    await shop.promotion(**HAPPY_HOUR, value=50)
    early = await shop.order(line(shop.soup))
    clock.advance(hours=9)
    happy = await shop.order(line(shop.cake))
    clock.advance(hours=9)

    merged = await shop.amend(early, "merge", {"order_id": happy["id"]})

    assert (early["total"], happy["total"], merged["total"]) == (10, 2, 12)
    assert merged["promotions"][0]["rounds"] == [2]
    assert "promotions" not in (await shop.get(f"/orders/{happy['id']}")).document


async def test_checks_that_are_split_are_priced_by_themselves(shop):
    await shop.promotion(value=50, item_ids=[shop.cake["id"]])
    order = await shop.order(line(shop.soup), line(shop.cake))

    split = await shop.amend(order, "split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    rest = (await shop.get(f"/orders/{order['id']}")).document
    assert (split["total"], get_amounts(split)) == (2, {"Offer": 2})
    assert (rest["total"], "promotions" in rest) == (10, False)


async def test_a_combo_is_one_thing_to_promote(shop):
    extras = [{"name": item["name"], "item_id": item["id"]} for item in (shop.soup, shop.cake)]
    combo = await shop.item("Set menu", 12, extra_groups=[{"name": "Of", "min": 2, "extras": extras}])
    chosen = {"extras": [extra["id"] for extra in combo["extra_groups"][0]["extras"]]}
    await shop.promotion(**TWO_FOR_ONE, item_ids=[combo["id"]])
    await shop.promotion(name="Soup of the day", value=50, item_ids=[shop.soup["id"]])

    order = await shop.order(line(combo, 3, **chosen))

    assert (order["subtotal"], order["total"]) == (36, 24)
    assert get_amounts(order) == {"Two for one": 12}
