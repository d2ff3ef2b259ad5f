"""The records of carts."""

from comanda.devkit.testing import line


async def test_dine_in_cart_links_to_table_page(fill_cart, store, soup):
    cart = await fill_cart(line(soup), type="on-table", table_number=4)

    assert (cart["table_number"], cart["is_orderable"]) == ("4", True)
    assert cart["continue_url"] == f"{(await store.get())['url']}?table=4"


async def test_item_off_the_menu_is_reported_without_name(guest, store, fill_cart, soup, get_messages):
    cart = await fill_cart(line(soup))
    await store.send("PUT", f"/menu/items/{soup['id']}", {"is_active": False, "name": "Secret"})

    found = await guest.call("get_cart", {"cart_id": cart["cart_id"]})

    assert get_messages(found) == [("error", "not_on_menu", "items.0.item_id")]
    assert (found["items"][0]["name"], found["items"][0]["unit_price"]) == (None, None)


async def test_placed_cart_shows_order_and_cannot_change(guest, cart, store, soup):
    placed = await guest.call("place_order", cart)
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 99})

    found = await guest.call("get_cart", cart)

    assert (found["order"], found["total"], found["is_orderable"]) == (placed["order"], 10.0, False)
    assert found["items"][0]["unit_price"] == 5.0
    assert found["continue_url"] == placed["order"]["continue_url"]
    for tool, arguments in (
        ("update_cart", {"type": "takeaway", "items": [line(soup, 5)]}), ("apply_coupon", {"code": None}),
        ("apply_coupon", {"code": "X"}),
    ):  # fmt: skip
        assert (await guest.refused(tool, {**cart, **arguments}))["code"] == "cart_converted"
    assert (await guest.call("get_cart", cart))["total"] == 10.0


async def test_placed_cart_keeps_its_lines(guest, store, fill_cart):
    pizza = await store.item(
        "Pizza", 9, variations=[{"name": "Large", "price": 12.1}],
        extra_groups=[{"name": "Toppings", "allows_repeats": True, "extras": [{"name": "Olives", "price": 1.05}]}],
    )  # fmt: skip
    olives, large = pizza["extra_groups"][0]["extras"][0]["id"], pizza["variations"][0]["id"]
    cart = await fill_cart(line(pizza, 2, variation=large, extras=[olives, olives], note="Well done"))
    await guest.call("place_order", {"cart_id": cart["cart_id"]})

    found = await guest.call("get_cart", {"cart_id": cart["cart_id"]})

    assert found["items"] == cart["items"]
    assert found["items"][0]["extras"] == [{"id": olives, "name": "Olives", "price": 1.05, "quantity": 2}]
    assert found.keys() == cart.keys()


async def test_cart_without_orderable_lines_costs_nothing(store, fill_cart):
    fish = await store.item("Fish", 14, is_sold_out=True)

    cart = await fill_cart(line(fish))

    names = ("subtotal", "discount_total", "service_charge", "delivery_fee", "tax_total", "total")
    assert {name: cart[name] for name in names} == dict.fromkeys(names, 0)
    assert (cart["charges"], cart["is_orderable"]) == ([], False)
