"""The conversion of carts into orders."""

import asyncio

import pytest
from comanda.basics import Money
from comanda.devkit.testing import line
from comanda_storefront.models import Cart
from comanda_storefront.services import cart_placement
from comanda_storefront.services import carts as services
from comanda_storefront.services.cart_placement import PlaceCart
from comanda_storefront.services.cart_store import CartContents


async def test_body_cannot_claim_a_cart(front, soup):
    for pretended in ({"cart_id": 1, "version": 1, "expected_minor": 1}, "x", 1, None, []):
        assert (await front.order(line(soup), storefront_cart=pretended))["total"] == 5.0


@pytest.mark.parametrize("key", [None, "one-key"])
async def test_concurrent_placements_create_one_order(guest, cart, count_orders, published, key):
    arguments = cart if key is None else {**cart, "idempotency_key": key}

    placed = await asyncio.gather(*(guest.call("place_order", arguments) for _ in range(8)))

    assert len({one["order"]["track_token"] for one in placed}) == 1
    assert sum(one["messages"] == [] for one in placed) == 1
    assert await count_orders() == 1
    assert len([name for name, _ in await published() if name == "order.created"]) == 1


async def test_concurrent_placements_with_one_key_create_one_order(guest, cart, count_orders):
    placed = await asyncio.gather(
        *(guest.call("place_order", {**cart, "idempotency_key": "k", "customer_name": name}) for name in "ABCDEF")
    )

    assert len({one["order"]["id"] for one in placed}) == 1
    assert await count_orders() == 1


async def test_update_that_wins_the_race_is_ordered(caller, soup, store, monkeypatch, count_orders):
    tea = await store.item("Tea", 2)
    made = await services.create_cart(caller, CartContents("takeaway", [line(soup)]))
    place, asked = cart_placement.placement.place_order, []

    async def overtaken(*arguments):
        if not asked:
            await services.update_contents(caller, made.cart_id, CartContents("takeaway", [line(tea, 3)]))
        asked.append(arguments)
        return await place(*arguments)

    monkeypatch.setattr(cart_placement.placement, "place_order", overtaken)

    placed = await cart_placement.place_cart(caller, made.cart_id, PlaceCart())

    assert (len(asked), placed.order.total) == (2, Money(600, "EUR"))
    assert await count_orders() == 1


async def test_failed_order_leaves_cart_unchanged(caller, soup, monkeypatch, count_orders):
    made = await services.create_cart(caller, CartContents("takeaway", [line(soup)]))

    with monkeypatch.context() as broken:
        broken.setattr("comanda.orders.intake.insertion.complete", fail)
        with pytest.raises(RuntimeError):
            await cart_placement.place_cart(caller, made.cart_id, PlaceCart())

    assert await count_orders() == 0
    assert (await Cart.get(owner_id=caller.owner_id)).order_id is None
    assert (await cart_placement.place_cart(caller, made.cart_id, PlaceCart())).messages == ()


def fail(*_, **__):
    raise RuntimeError
