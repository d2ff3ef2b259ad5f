"""Many at once, on many connections: no use is given twice, and nobody waits in a circle."""

import asyncio
from collections import Counter

from comanda.devkit.testing.stores import line
from comanda.errors import ValidationFailed


async def outcomes(*orders):
    """Place orders at once; count those taken as None, and the others by reason."""
    results = await asyncio.gather(*orders, return_exceptions=True)
    for result in results:
        assert not isinstance(result, Exception) or isinstance(result, ValidationFailed), result
    return Counter(result.extras["reason"] if isinstance(result, Exception) else None for result in results)


async def test_of_a_hundred_orders_for_the_last_use_one_gets_it(shop):
    made = await shop.coupon(usage_limit=1)

    assert await outcomes(*(shop.buy(line(shop.soup)) for _ in range(100))) == {None: 1, "used_up": 99}

    assert (await shop.used(made), await shop.orders(), (await shop.uses()).standing) == (1, 1, 1)


async def test_a_guest_who_orders_many_times_at_once_uses_it_as_often_as_they_may(shop):
    made = await shop.coupon(per_customer_limit=3)

    orders = (shop.buy(line(shop.soup), phone=f"{'+351' * (n % 2)}912345678") for n in range(20))
    assert await outcomes(*orders) == {None: 3, "used_up": 17}

    assert (await shop.used(made), await shop.orders()) == (3, 3)


async def test_a_guest_has_one_first_order_even_with_two_coupons_at_once(shop):
    await shop.coupon("HELLO", first_order_only=True)
    await shop.coupon("WELCOME", first_order_only=True)

    orders = (shop.buy(line(shop.soup), phone="912345678", code=("HELLO", "WELCOME")[n % 2]) for n in range(20))
    assert await outcomes(*orders) == {None: 1, "not_applicable": 19}

    assert (await shop.orders(), (await shop.uses()).standing) == (1, 1)


async def test_twenty_repeats_of_one_order_at_once_use_it_once(shop):
    made = await shop.coupon(usage_limit=1)

    results = await asyncio.gather(*(shop.buy(line(shop.soup), key="a") for _ in range(20)))

    assert len({result.record["id"] for result in results}) == 1
    assert (await shop.used(made), await shop.orders()) == (1, 1)


async def test_ordering_cancelling_reopening_and_changing_at_once_keep_the_count_true(boutique):
    made = await boutique.coupon(usage_limit=12)
    counted = await boutique.item("Counted", 3, stock=100)
    standing = [await boutique.bought(line(counted), type="in_store") for _ in range(6)]

    async def waver(order):
        await boutique.set_status(order["id"], "cancelled")
        return await boutique.set_status(order["id"], "preparing")

    replies = await asyncio.gather(
        *(waver(order) for order in standing),
        *(boutique.change(made, value=value) for value in range(20, 28)),
        *(boutique.send("POST", "/coupons", {"code": f"NEW-{n}", "type": "fixed", "value": 1}) for n in range(5)),
        outcomes(*(boutique.buy(line(counted), type="in_store") for _ in range(20))),
    )
    taken = replies.pop()

    assert taken.keys() <= {None, "used_up"}
    assert {reply.status for reply in replies} <= {200, 201, 422}
    orders = (await boutique.get("/orders?per_page=100"))["data"]
    in_use = [order for order in orders if order["status"] != "cancelled"]
    assert await boutique.used(made) == (await boutique.uses()).standing == len(in_use) <= 12
