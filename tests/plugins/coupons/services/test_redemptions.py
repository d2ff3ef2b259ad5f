"""Redemptions: limits hold under concurrency, cancelling and reopening."""

import asyncio
import re
from collections import Counter

import pytest
from comanda.basics import ValidationFailed
from comanda.devkit.testing import line


async def count_outcomes(*orders):
    """Place orders at once; count those taken as None, and the others by reason."""
    results = await asyncio.gather(*orders, return_exceptions=True)
    for result in results:
        assert not isinstance(result, Exception) or isinstance(result, ValidationFailed), result
    return Counter(result.extras["reason"] if isinstance(result, Exception) else None for result in results)


async def test_coupon_has_usage_limit(shop, get_refusal_reason):
    coupon = await shop.coupon(usage_limit=2)

    await shop.place_order(line(shop.soup))
    await shop.place_order(line(shop.soup))

    assert await get_refusal_reason(shop, line(shop.soup)) == "used_up"
    assert (await shop.get(f"/coupons/{coupon['id']}"))["status"] == "used_up"
    await shop.change(coupon, usage_limit=3)
    await shop.place_order(line(shop.soup))
    assert await shop.used(coupon) == 3


async def test_first_order_ignores_cancelled_orders(shop, get_refusal_reason):
    await shop.coupon(first_order_only=True)
    earlier = await shop.order(line(shop.soup), phone="+351 912 345 678")

    assert await get_refusal_reason(shop, line(shop.soup), phone="912345678") == "not_applicable"
    await shop.set_status(earlier["id"], "cancelled")
    await shop.place_order(line(shop.soup), phone="912345678")
    assert await get_refusal_reason(shop, line(shop.soup), phone="912345678") == "not_applicable"
    await shop.sign_in_customer()
    await shop.place_order(line(shop.soup))
    assert await get_refusal_reason(shop, line(shop.soup), phone="999888777") == "not_applicable"


async def test_first_order_ignores_cancelled_orders_of_the_account(shop, get_refusal_reason):
    await shop.coupon(first_order_only=True)
    await shop.sign_in_customer()
    # Without a phone number, only the account identifies the guest.
    earlier = await shop.place_order(line(shop.soup))

    assert await get_refusal_reason(shop, line(shop.soup)) == "not_applicable"
    await shop.set_status(earlier["id"], "cancelled")
    assert (await shop.place_order(line(shop.soup)))["discount_total"] == 1
    assert await get_refusal_reason(shop, line(shop.soup)) == "not_applicable"


async def test_cancelling_returns_redemption_and_reopening_restores_it(shop, get_refusal_reason):
    coupon = await shop.coupon(usage_limit=1, per_customer_limit=1)
    order = await shop.place_order(line(shop.soup), phone="912345678")

    assert (await shop.set_status(order["id"], "cancelled")).status == 200
    assert (await shop.used(coupon), vars(await shop.uses())) == (0, {"standing": 0, "returned": 1})
    assert (await shop.set_status(order["id"], "cancelled")).status == 200
    assert await shop.used(coupon) == 0
    assert (await shop.set_status(order["id"], "preparing")).status == 200
    assert (await shop.used(coupon), vars(await shop.uses())) == (1, {"standing": 1, "returned": 0})
    assert await get_refusal_reason(shop, line(shop.soup), phone="999888777") == "used_up"


@pytest.mark.parametrize("terms", [{"usage_limit": 1}, {"per_customer_limit": 1}, {"first_order_only": True}])
async def test_reopening_is_refused_without_redemption_left(shop, terms):
    coupon = await shop.coupon(**terms)
    order = await shop.place_order(line(shop.soup), phone="912345678")
    await shop.set_status(order["id"], "cancelled")
    await shop.place_order(line(shop.soup), phone="912345678")

    reply = await shop.set_status(order["id"], "preparing")

    assert (list(reply.errors), reply["reason"]) == (["status"], "used_up")
    assert re.search("TEN.*usage limit", reply.errors["status"][0])
    assert (await shop.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert (await shop.used(coupon), vars(await shop.uses())) == (1, {"standing": 1, "returned": 1})


async def test_reopened_order_keeps_ended_or_deleted_coupon(shop, clock):
    coupon = await shop.coupon(ends_at="2030-01-08T00:00:00Z")
    order = await shop.place_order(line(shop.soup))
    await shop.set_status(order["id"], "cancelled")
    clock.advance(days=2)
    await shop.send("DELETE", f"/coupons/{coupon['id']}")

    assert (await shop.set_status(order["id"], "new")).status == 200

    reopened = (await shop.get(f"/orders/{order['id']}")).document
    assert (reopened["coupon_code"], reopened["discount_total"]) == ("TEN", 1)
    assert (await shop.uses()).standing == 1


async def test_hundred_concurrent_orders_redeem_last_use_once(shop):
    coupon = await shop.coupon(usage_limit=1)

    assert await count_outcomes(*(shop.place_unchecked(line(shop.soup)) for _ in range(100))) == {
        None: 1,
        "used_up": 99,
    }

    assert (await shop.used(coupon), await shop.orders(), (await shop.uses()).standing) == (1, 1, 1)


async def test_limit_per_guest_holds_under_concurrency(shop):
    coupon = await shop.coupon(per_customer_limit=3)

    orders = (shop.place_unchecked(line(shop.soup), phone=f"{'+351' * (n % 2)}912345678") for n in range(20))
    assert await count_outcomes(*orders) == {None: 3, "used_up": 17}

    assert (await shop.used(coupon), await shop.orders()) == (3, 3)


async def test_guest_has_one_first_order_across_coupons(shop):
    await shop.coupon("HELLO", first_order_only=True)
    await shop.coupon("WELCOME", first_order_only=True)

    orders = (
        shop.place_unchecked(line(shop.soup), phone="912345678", code=("HELLO", "WELCOME")[n % 2]) for n in range(20)
    )
    assert await count_outcomes(*orders) == {None: 1, "not_applicable": 19}

    assert (await shop.orders(), (await shop.uses()).standing) == (1, 1)


async def test_concurrent_repeats_redeem_once(shop):
    coupon = await shop.coupon(usage_limit=1)

    results = await asyncio.gather(*(shop.place_unchecked(line(shop.soup), key="a") for _ in range(20)))

    assert len({result.record["id"] for result in results}) == 1
    assert (await shop.used(coupon), await shop.orders()) == (1, 1)


async def test_used_count_is_exact_under_concurrency(boutique):
    coupon = await boutique.coupon(usage_limit=12)
    counted = await boutique.item("Counted", 3, stock=100)
    standing = [await boutique.place_order(line(counted), type="in_store") for _ in range(6)]

    async def cancel_and_reopen(order):
        await boutique.set_status(order["id"], "cancelled")
        return await boutique.set_status(order["id"], "preparing")

    replies = await asyncio.gather(
        *(cancel_and_reopen(order) for order in standing),
        *(boutique.change(coupon, value=value) for value in range(20, 28)),
        *(boutique.send("POST", "/coupons", {"code": f"NEW-{n}", "type": "fixed", "value": 1}) for n in range(5)),
        count_outcomes(*(boutique.place_unchecked(line(counted), type="in_store") for _ in range(20))),
    )
    taken = replies.pop()

    assert taken.keys() <= {None, "used_up"}
    assert {reply.status for reply in replies} <= {200, 201, 422}
    orders = (await boutique.get("/orders?per_page=100"))["data"]
    in_use = [order for order in orders if order["status"] != "cancelled"]
    assert await boutique.used(coupon) == (await boutique.uses()).standing == len(in_use) <= 12
