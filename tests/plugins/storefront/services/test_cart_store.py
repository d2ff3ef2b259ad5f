"""Carts in the database."""

from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_storefront.models import Cart


async def test_cart_expires_six_hours_after_last_use(guest, fill_cart, soup, clock):
    cart = await fill_cart(line(soup))
    clock.advance(hours=5, minutes=59)
    assert (await guest.call("get_cart", {"cart_id": cart["cart_id"]}))["expires_at"] > cart["expires_at"]
    clock.advance(hours=5, minutes=59)
    await guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "takeaway", "items": [line(soup)]})
    clock.advance(hours=6)

    for tool, arguments in (
        ("get_cart", {}), ("place_order", {}), ("apply_coupon", {"code": None}),
        ("update_cart", {"type": "takeaway", "items": [line(soup)]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, {"cart_id": cart["cart_id"], **arguments}))["code"] == "not_found"


async def test_cart_belongs_to_its_store(guest_of, owner, other_owner, other_store, fill_cart, soup):
    cart = await fill_cart(line(soup))
    strangers = [await guest_of(owner, await owner.store()), await guest_of(other_owner, other_store.id)]

    for stranger in strangers:
        for tool, arguments in (("get_cart", {}), ("place_order", {}), ("apply_coupon", {"code": None})):
            refused = await stranger.refused(tool, {"cart_id": cart["cart_id"], **arguments})
            assert refused["code"] == "not_found"
    found = await Cart.get(owner_id=owner.id)
    assert (found.order_id, found.version) == (None, 1)


async def test_handle_is_not_stored(fill_cart, soup, owner):
    cart = await fill_cart(line(soup))

    row = await sql.fetch_value("SELECT to_jsonb(c)::text FROM storefront_cart c WHERE owner_id = $1", owner.id)

    assert len(cart["cart_id"]) == 43
    assert cart["cart_id"] not in row
