"""The pricing of carts."""

from comanda.devkit.testing import line


async def test_cart_is_priced_like_its_order(guest, store, fill_cart):
    pizza = await store.item(
        "Pizza", 9, variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "allows_repeats": True, "extras": [{"name": "Olives", "price": 1}]}],
    )  # fmt: skip
    soup = await store.item("Soup", 5)
    await store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["takeaway"]})
    olives, large = pizza["extra_groups"][0]["extras"][0]["id"], pizza["variations"][0]["id"]

    cart = await fill_cart(line(pizza, 2, variation=large, extras=[olives, olives], note="Well done"), line(soup))

    assert [(one["name"], one["unit_price"], one["line_total"]) for one in cart["items"]] == [
        ("Pizza", 14.0, 28.0), ("Soup", 5.0, 5.0),
    ]  # fmt: skip
    assert cart["items"][0]["variation"] == {"id": large, "name": "Large", "price": 12.0}
    assert cart["items"][0]["extras"] == [{"id": olives, "name": "Olives", "price": 1.0, "quantity": 2}]
    assert (cart["subtotal"], cart["service_charge"], cart["total"]) == (33.0, 3.3, 36.3)
    assert (cart["currency"], cart["messages"], cart["is_orderable"], cart["order"]) == ("EUR", [], True, None)
    assert cart["continue_url"] == (await store.get())["url"]
    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    placed = await guest.call("place_order", {"cart_id": cart["cart_id"], "expected_total": 36.3})
    assert placed["order"]["total"] == 36.3


async def test_cart_prices_follow_the_menu(guest, store, fill_cart, soup):
    cart = await fill_cart(line(soup, 2))
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    assert (await guest.call("get_cart", {"cart_id": cart["cart_id"]}))["total"] == 12.0


async def test_cart_without_orderable_lines_costs_nothing(fill_cart, store):
    cart = await fill_cart(line(await store.item("Fish", 14, is_sold_out=True)))

    assert (cart["subtotal"], cart["total"], cart["is_orderable"]) == (0, 0, False)


async def test_a_combo_is_one_line_of_a_cart_and_of_the_page(guest, page_guest, store):
    items = [await store.item("Soup", 6), await store.item("Wine", 4)]
    extras = [{"name": each["name"], "item_id": each["id"]} for each in items]
    combo = await store.item("Lunch", 9, extra_groups=[{"name": "Of", "min": 2, "extras": extras}])
    lines = [line(combo, 2, extras=[each["id"] for each in combo["extra_groups"][0]["extras"]]), line(items[0])]

    cart = await guest.call("create_cart", {"type": "takeaway", "items": lines})
    placed = await guest.call("place_order", {"cart_id": cart["cart_id"], "customer_name": "Ana"})
    converted = await guest.call("get_cart", {"cart_id": cart["cart_id"]})
    _, quote = await page_guest.quote(*lines)

    shown = [("Lunch", 2, 9, 18), ("Soup", 1, 6, 6)]
    for found in (cart, converted):
        assert [
            (each["name"], each["quantity"], each["unit_price"], each["line_total"]) for each in found["items"]
        ] == shown
    assert placed["order"]["total"] == cart["total"] == 24
    assert [each["unit_price"] for each in quote["lines"]] == [900, 600]
