"""Creating and updating carts."""

import asyncio

from comanda.devkit.testing import line
from comanda_storefront.records import GuestDetails
from comanda_storefront.services.cart_store import CartContents
from comanda_storefront.services.carts import encode_order_body


async def test_update_keeps_coupon_and_omitted_table(guest, store, fill_cart, soup):
    tea = await store.item("Tea", 2)
    cart = await fill_cart(line(soup, note="Hot"), type="on-table", table_number="4", note="Quick")

    changed = await guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "on-table", "items": [line(tea, 3)]})

    assert [(one["name"], one["quantity"], one["note"]) for one in changed["items"]] == [("Tea", 3, None)]
    assert (changed["note"], changed["table_number"], changed["total"]) == (None, "4", 6.0)
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == changed


async def test_coupon_is_refused_without_coupons_plugin(guest, fill_cart, soup):
    cart = await fill_cart(line(soup))

    refused = await guest.refused("apply_coupon", {"cart_id": cart["cart_id"], "code": "NOPE"})

    assert refused["code"].startswith("coupon_")
    assert [message["path"] for message in refused["messages"]] == ["coupon_code"]
    assert (refused["total"], refused["coupon_code"]) == (5.0, None)
    assert refused.keys() == {*cart, "code", "message"}
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    assert (await guest.call("apply_coupon", {"cart_id": cart["cart_id"], "code": None}))["coupon_code"] is None


async def test_plugin_fields_reach_order_but_never_override_core(open_store, guest_of, owner):
    pharmacy = await open_store("pharmacy")
    guest, syrup = await guest_of(owner, pharmacy.id), await pharmacy.item("Syrup", 8, age_min=18)
    kind = (await guest.call("get_store"))["modes"][0]["code"]

    arguments = {"type": kind, "items": [line(syrup)]}
    cart = await guest.call("create_cart", arguments)
    assert cart["is_orderable"] is False
    assert cart["total"] == 8.0

    arguments |= {"cart_id": cart["cart_id"], "details": {"age_confirmed": True, "tip_amount": 100, "items": []}}
    assert await guest.call("update_cart", arguments) | {"expires_at": ""} == {
        **cart, "messages": [], "is_orderable": True, "expires_at": "",
    }  # fmt: skip
    assert (await guest.call("place_order", {"cart_id": cart["cart_id"]}))["order"]["total"] == 8.0


async def test_concurrent_updates_leave_one_of_them(guest, fill_cart, store, soup):
    tea = await store.item("Tea", 2)
    cart = await fill_cart(line(soup))
    wishes = [{"items": [line(one)], "note": one["name"]} for one in (soup, tea)]

    await asyncio.gather(
        *(guest.call("update_cart", {"cart_id": cart["cart_id"], "type": "takeaway", **wish}) for wish in wishes)
    )

    found = await guest.call("get_cart", {"cart_id": cart["cart_id"]})
    assert found["note"] == found["items"][0]["name"]


async def test_unpublished_store_has_no_carts(guest, store, fill_cart, soup):
    cart = await fill_cart(line(soup))
    await store.send("PUT", "/settings", {"is_published": False})

    for tool, arguments in (
        ("create_cart", {"type": "takeaway", "items": [line(soup)]}), ("get_cart", {"cart_id": cart["cart_id"]}),
        ("place_order", {"cart_id": cart["cart_id"]}),
    ):  # fmt: skip
        assert (await guest.refused(tool, arguments))["code"] == "not_found"


async def test_suspended_owner_has_no_carts(guest, cart, owner, suspend, count_orders):
    await suspend(owner)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "place_order", "arguments": cart}}

    response = await guest.post(message)

    assert response.status_code == 404
    assert await count_orders() == 0


def test_bytes_of_order_body_do_not_change():
    contents = CartContents(
        "takeaway", [{"item_id": 1, "quantity": 2}], note="Quick", details={"age_confirmed": True, "phone": "hidden"}
    )

    found = encode_order_body(contents, GuestDetails(customer_name="Ada", note="Hot"))

    assert found == (
        b'{"age_confirmed":true,"type":"takeaway","items":[{"item_id":1,"quantity":2}],"table_number":null,'
        b'"scheduled_for":null,"note":"Hot","coupon_code":null,"customer_name":"Ada"}'
    )
