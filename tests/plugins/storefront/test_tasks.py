"""The deletion of expired carts."""

from comanda.devkit.testing import line
from comanda_storefront import tasks
from comanda_storefront.models import Cart


async def test_expired_carts_are_deleted_but_orders_stay(guest, fill_cart, soup, owner, clock, count_orders):
    placed, left = await fill_cart(line(soup)), await fill_cart(line(soup))
    await guest.call("place_order", {"cart_id": placed["cart_id"]})
    clock.advance(hours=1)
    kept = await fill_cart(line(soup))
    clock.advance(hours=5)

    await tasks.prune_carts()

    assert await Cart.filter(owner_id=owner.id).count() == 1
    assert await count_orders() == 1
    assert (await guest.refused("get_cart", {"cart_id": left["cart_id"]}))["code"] == "not_found"
    await guest.call("get_cart", {"cart_id": kept["cart_id"]})
