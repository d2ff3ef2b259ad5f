"""Coupons on a storefront's orders and on carts, where the plugin ``coupons`` is installed."""

import pytest
from comanda.devkit.testing import line

pytest.importorskip("comanda_coupons")


@pytest.fixture
def coupon(store):
    """Create a coupon of the store, by default 10 % off."""

    async def create(code, **fields):
        reply = await store.send("POST", "/coupons", {"code": code, "type": "percentage", "value": 10, **fields})
        assert reply.status == 201, reply

    return create


@pytest.fixture
async def cart(guest, soup):
    """Return the arguments of a cart with two soups of 5."""
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})
    return {"cart_id": made["cart_id"]}


async def test_coupon_reduces_order_total(front, store, soup, coupon, count_orders):
    await coupon("TEN")

    placed = await front.order(line(soup, 2), coupon_code="ten")

    assert placed["total"] == 9.0
    assert (await store.get(f"/orders/{placed['id']}"))["coupon_code"] == "TEN"
    refused = await front.refused(line(soup, 2), coupon_code="NOPE")
    assert (list(refused["errors"]), refused["reason"]) == (["coupon_code"], "unknown")
    assert await count_orders() == 1


async def test_cart_coupon_applies_to_its_order(guest, store, cart, coupon):
    await coupon("TEN")

    applied = await guest.call("apply_coupon", {**cart, "code": "ten"})

    assert (applied["subtotal"], applied["discount_total"], applied["total"]) == (10.0, 1.0, 9.0)
    assert (applied["items"][0]["discount"], applied["is_orderable"]) == (1.0, True)
    assert await guest.call("get_cart", cart) == applied
    placed = await guest.call("place_order", {**cart, "expected_total": 9})
    assert (await store.get(f"/orders/{placed['order']['id']}"))["coupon_code"] == "TEN"


async def test_coupon_is_replaced_removed_and_kept_by_updates(guest, cart, soup, coupon):
    await coupon("TEN")
    await coupon("HALF", value=50)
    await guest.call("apply_coupon", {**cart, "code": "TEN"})

    assert (await guest.call("apply_coupon", {**cart, "code": "HALF"}))["total"] == 5.0
    refused = await guest.refused("apply_coupon", {**cart, "code": "NOPE"})
    assert (refused["code"], refused["total"], refused["coupon_code"]) == ("coupon_unknown", 5.0, "HALF")
    changed = await guest.call("update_cart", {**cart, "type": "takeaway", "items": [line(soup, 4)]})
    assert (changed["coupon_code"], changed["total"]) == ("HALF", 10.0)
    assert (await guest.call("apply_coupon", {**cart, "code": None}))["total"] == 20.0


async def test_unearned_coupon_prevents_placement(guest, store, cart, soup, coupon, count_orders):
    tea = await store.item("Tea", 1)
    await coupon("TEN", min_subtotal=10)
    await guest.call("apply_coupon", {**cart, "code": "TEN"})

    fewer = await guest.call("update_cart", {**cart, "type": "takeaway", "items": [line(tea), line(soup)]})

    assert [(one["code"], one["path"]) for one in fewer["messages"]] == [("coupon_minimum", "coupon_code")]
    assert (fewer["total"], fewer["is_orderable"]) == (6.0, False)
    refused = await guest.refused("place_order", cart)
    assert (refused["code"], refused["cart"]["total"]) == ("coupon_minimum", 6.0)
    assert await count_orders() == 0
    await store.send("PATCH", f"/menu/items/{tea['id']}/sold-out", {})
    told = await guest.call("get_cart", cart)
    assert sorted(one["code"] for one in told["messages"]) == ["coupon_minimum", "sold_out"]


async def test_per_guest_coupon_requires_phone_at_placement(guest, cart, soup, coupon):
    await coupon("ONCE", per_customer_limit=1)
    applied = await guest.call("apply_coupon", {**cart, "code": "ONCE"})
    assert (applied["total"], applied["messages"]) == (9.0, [])

    refused = await guest.refused("place_order", cart)
    assert (refused["code"], refused["messages"][0]["path"]) == ("coupon_not_applicable", "coupon_code")
    assert (await guest.call("place_order", {**cart, "phone": "+351 912 345 678"}))["order"]["total"] == 9.0

    again = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})
    again = {"cart_id": again["cart_id"]}
    await guest.call("apply_coupon", {**again, "code": "ONCE"})
    used = await guest.refused("place_order", {**again, "phone": "912345678"})
    assert (used["code"], used["order"]) == ("coupon_used_up", None)
    assert (await guest.call("get_cart", again))["order"] is None


async def test_coupon_used_up_meanwhile_places_no_order(guest, front, cart, soup, coupon, count_orders):
    await coupon("LAST", usage_limit=1)
    await guest.call("apply_coupon", {**cart, "code": "LAST"})
    await front.order(line(soup), coupon_code="LAST")

    assert (await guest.refused("place_order", cart))["code"] == "coupon_used_up"
    assert await count_orders() == 1
