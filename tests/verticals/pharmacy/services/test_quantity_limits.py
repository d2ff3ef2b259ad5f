"""How many of an item one order may have."""

from comanda.devkit.testing import line

SENTENCE = "At most 2 of Tablets can be ordered at once."


async def test_too_many_are_refused_over_all_lines(pharmacy):
    tablets = await pharmacy.item("Tablets", max_per_order=2)
    plaster = await pharmacy.item("Plaster")

    allowed = await pharmacy.place(line(tablets), line(plaster, 9), line(tablets), type="in_store")
    refused = await pharmacy.place(line(plaster), line(tablets, 2), line(tablets), type="in_store")

    assert allowed.status == 201
    assert (refused.errors, refused["reason"]) == ({"items.1.quantity": [SENTENCE]}, "max_quantity")
    assert (await pharmacy.get("/orders"))["total"] == 1


async def test_limit_holds_in_other_modes_and_quotes(pharmacy):
    tablets = await pharmacy.item("Tablets", max_per_order=2)

    refused = await pharmacy.place(line(tablets, 3), type="ship")
    quoted = await pharmacy.send("POST", "/orders/quote", {"type": "in_store", "items": [line(tablets, 3)]})

    assert list(refused.errors) == ["items.0.quantity"]
    assert quoted["problems"] == {"items.0.quantity": [SENTENCE]} if quoted.status == 200 else quoted.errors


async def test_limit_counts_what_is_added_to_an_order(pharmacy):
    tablets, plaster = await pharmacy.item("Tablets", max_per_order=2), await pharmacy.item("Plaster")
    order = await pharmacy.order(line(tablets, 2), type="in_store")

    refused = await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(tablets)]})
    added = await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(plaster)]})

    assert refused["reason"] == "max_quantity"
    assert (added.status, len(added["items"])) == (201, 2)


async def test_order_that_stands_is_amended_after_its_limit_was_lowered(pharmacy):
    tablets, plaster = await pharmacy.item("Tablets"), await pharmacy.item("Plaster")
    order = await pharmacy.order(line(tablets, 5), type="in_store")

    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"max_per_order": 1})
    added = await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(plaster)]})

    assert added.status == 201


async def test_staff_are_held_to_the_limit(pharmacy):
    tablets, member = await pharmacy.item("Tablets", max_per_order=2), await pharmacy.add_member()

    refused = await member.send("POST", "/orders", {"type": "in_store", "items": [line(tablets, 3)]})

    assert refused["reason"] == "max_quantity"
