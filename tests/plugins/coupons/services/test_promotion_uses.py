"""Limits and budgets of promotions: they hold under concurrency, and in amended and cancelled orders."""

import asyncio
from collections import Counter

import pytest
from comanda.basics import ValidationFailed
from comanda.devkit.testing import line


async def count_outcomes(orders):
    """Place orders at once; count them by their discount, and those refused by reason."""
    results = await asyncio.gather(*orders, return_exceptions=True)
    for result in results:
        assert not isinstance(result, Exception) or isinstance(result, ValidationFailed), result
    return Counter(each.extras["reason"] if isinstance(each, Exception) else each["discount_total"] for each in results)


async def get_state(shop, promotion):
    found = await shop.get(f"/promotions/{promotion['id']}")
    return found["used_count"], found["spent"], found["status"]


async def test_limit_of_uses_holds_for_eight_orders_at_once(shop):
    promotion = await shop.promotion(usage_limit=3)

    outcomes = await count_outcomes([shop.place_order(line(shop.soup), code=None) for _ in range(8)])

    assert outcomes[1] == 3
    assert outcomes[0] + outcomes["promotion_over"] == 5
    assert await get_state(shop, promotion) == (3, 3, "used_up")
    # Whoever was refused sees the new price, and pays it.
    assert (await shop.place_order(line(shop.soup), code=None))["total"] == 10


async def test_budget_holds_for_eight_orders_at_once(shop):
    promotion = await shop.promotion(value=50, max_discount=4, budget=14)

    outcomes = await count_outcomes([shop.place_order(line(shop.soup), code=None) for _ in range(8)])

    assert outcomes[4] == 3
    assert outcomes[0] + outcomes["promotion_over"] == 5
    # Less than the highest discount of an order is left.
    assert await get_state(shop, promotion) == (3, 12, "used_up")
    assert (await shop.place_order(line(shop.soup), code=None))["total"] == 10


async def test_cancelled_order_gives_back_and_reopened_one_takes_again(shop):
    promotion = await shop.promotion(usage_limit=1)
    order = await shop.order(line(shop.soup))
    assert (await shop.order(line(shop.soup)))["total"] == 10

    await shop.set_status(order["id"], "cancelled")
    assert await get_state(shop, promotion) == (0, 0, "active")
    await shop.set_status(order["id"], "preparing")
    assert await get_state(shop, promotion) == (1, 1, "used_up")
    assert (await shop.order(line(shop.soup)))["total"] == 10

    await shop.set_status(order["id"], "cancelled")
    assert (await shop.order(line(shop.soup)))["total"] == 9
    refused = await shop.set_status(order["id"], "preparing")
    assert (refused.status, refused["reason"]) == (422, "used_up")


async def test_amended_order_is_one_use_with_what_it_takes_off_now(shop):
    promotion = await shop.promotion(max_discount=5, budget=20)
    order = await shop.order(line(shop.soup), line(shop.cake))

    more = await shop.amend(order, "lines", {"items": [line(shop.soup)]})
    assert (order["discount_total"], more["discount_total"]) == (1.4, 2.4)
    assert await get_state(shop, promotion) == (1, 2.4, "active")
    less = await shop.amend(order, f"lines/{more['items'][0]['id']}/void", {"reason": "Burnt"})
    assert (less["discount_total"], await get_state(shop, promotion)) == (1.4, (1, 1.4, "active"))


async def test_void_of_all_that_is_covered_gives_the_budget_back(shop):
    promotion = await shop.promotion(value=100, max_discount=4, budget=4, item_ids=[shop.cake["id"]])
    order = await shop.order(line(shop.soup), line(shop.cake))
    assert await get_state(shop, promotion) == (1, 4, "used_up")

    voided = await shop.amend(order, f"lines/{order['items'][1]['id']}/void", {"reason": "Spilt"})

    assert (voided["total"], await get_state(shop, promotion)) == (10, (1, 0, "active"))


async def test_order_with_the_last_of_a_budget_gets_no_more_of_it(shop):
    promotion = await shop.promotion(value=50, max_discount=5, budget=7)
    order = await shop.order(line(shop.cake))
    other = await shop.order(line(shop.soup))

    amended = await shop.amend(order, "lines", {"items": [line(shop.soup)]})

    assert (order["total"], other["total"], amended["total"]) == (2, 5, 12)
    assert await get_state(shop, promotion) == (2, 7, "used_up")


async def test_merged_check_takes_over_the_use(shop):
    promotion = await shop.promotion(usage_limit=2)
    stays, goes = await shop.order(line(shop.soup)), await shop.order(line(shop.cake))

    merged = await shop.amend(stays, "merge", {"order_id": goes["id"]})

    assert (merged["total"], await get_state(shop, promotion)) == (12.6, (1, 1.4, "active"))


async def test_order_that_uses_a_limit_is_not_split(shop):
    await shop.promotion(usage_limit=2)
    order = await shop.order(line(shop.soup), line(shop.cake))

    reply = await shop.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    assert (reply.status, reply["reason"]) == (409, "amendment_unsupported")


async def test_repeated_order_is_one_use(shop):
    promotion = await shop.promotion(usage_limit=2)

    first = await shop.place_unchecked(line(shop.soup), code=None, key="a")
    again = await shop.place_unchecked(line(shop.soup), code=None, key="a")

    assert again.is_replay
    assert again.record == first.record
    assert await get_state(shop, promotion) == (1, 1, "active")


@pytest.mark.parametrize("terms", [{}, {"usage_limit": 5}])
async def test_promotion_without_limit_counts_nothing(shop, terms):
    promotion = await shop.promotion(**terms)

    await shop.order(line(shop.soup))

    assert (await shop.uses()).standing == (1 if terms else 0)
    assert (await get_state(shop, promotion))[0] == (1 if terms else 0)


async def test_promotion_that_takes_nothing_off_counts_no_use(shop):
    promotion = await shop.promotion(usage_limit=1, min_subtotal=20)

    await shop.order(line(shop.soup))

    assert await get_state(shop, promotion) == (0, 0, "active")
