"""The messages of a cart."""

from comanda.devkit.testing import line


async def test_sold_out_lines_are_reported_and_cost_nothing(guest, store, fill_cart, soup, get_messages):
    fish = await store.item("Fish", 14, is_sold_out=True)

    cart = await fill_cart(line(fish), line(soup), line(fish, 2))

    assert get_messages(cart) == [("error", "sold_out", "items.0.item_id"), ("error", "sold_out", "items.2.item_id")]
    assert [(one["name"], one["line_total"]) for one in cart["items"]] == [
        ("Fish", None),
        ("Soup", 5.0),
        ("Fish", None),
    ]
    assert (cart["total"], cart["is_orderable"]) == (5.0, False)
    await store.send("PATCH", f"/menu/items/{fish['id']}/sold-out", {})
    again = await guest.call("get_cart", {"cart_id": cart["cart_id"]})
    assert (again["total"], again["messages"], again["is_orderable"]) == (47.0, [], True)


async def test_several_errors_are_reported_at_once(fill_cart, store, soup, closed, get_messages):
    fish = await store.item("Fish", 14, is_sold_out=True)
    ordered = await fill_cart(line(fish), line(soup), type="on-table")

    assert get_messages(ordered) == [
        ("error", "store_closed", "type"),
        ("error", "sold_out", "items.0.item_id"),
        ("error", "missing_field", "table_number"),
    ]
    assert ordered["messages"][0]["text"].endswith("It opens at 2026-06-01T18:00:00+00:00.")
    assert (ordered["total"], ordered["is_orderable"]) == (5.0, False)


async def test_promotion_is_named_with_what_it_takes_off(store, fill_cart, soup):
    offer = {"name": "Happy hour", "type": "percentage", "value": 25}
    assert (await store.send("POST", "/promotions", offer)).status == 201

    cart = await fill_cart(line(soup))

    (message,) = cart["messages"]
    amount = cart["discount_total"]
    assert (message["type"], message["code"], message["path"]) == ("info", "promotion", None)
    assert message["text"] == f"Happy hour: {amount:.2f} EUR off, part of discount_total."
    assert (cart["is_orderable"], cart["total"]) == (True, cart["subtotal"] - amount)
