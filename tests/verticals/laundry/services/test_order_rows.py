"""The laundry's part in placing, amending and closing orders."""

from comanda.devkit.testing import line


async def test_goods_by_weight_are_no_part_of_a_combo(laundry):
    choices = [{"name": "Wash and fold", "item_id": laundry.wash["id"]}]
    basket = await laundry.item("Basket", 10, extra_groups=[{"name": "Goods", "min": 1, "max": 1, "extras": choices}])
    extra = basket["extra_groups"][0]["extras"][0]["id"]

    refused = await laundry.place(line(basket, extras=[extra]), type="in_store")

    assert refused.errors == {"items.0": ["Wash and fold is sold by weight, so it cannot be part of a combo."]}


async def test_orders_are_not_merged(laundry):
    one, other = await laundry.drop_off(), await laundry.drop_off()

    refused = await laundry.send("POST", f"/orders/{one['id']}/merge", {"order_id": other["id"]})

    assert refused.errors == {"order_id": ["Orders of a laundry cannot be merged."]}
    assert (await laundry.read(other))["status"] == "new"


async def test_order_is_not_split(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 2))
    lines = [{"line_id": order["items"][0]["id"], "quantity": 1}]

    refused = await laundry.send("POST", f"/orders/{order['id']}/split", {"lines": lines})

    assert (refused.status, refused["reason"]) == (409, "amendment_unsupported")
    assert (await laundry.read(order))["items"][0]["quantity"] == 2


async def test_line_that_was_added_waits_for_its_weight(laundry):
    order = await laundry.drop_off(line(laundry.shirt))

    amended = await laundry.send("POST", f"/orders/{order['id']}/lines", {"items": [line(laundry.wash, 2)]})

    assert amended["items"][1]["price_label"] == "Estimate in kg: weighed when we take it in"
    assert (await laundry.intake(order))["lines_to_weigh"] == 1


async def test_cancelled_order_needs_no_weight(laundry):
    order = await laundry.drop_off()

    assert (await laundry.set_status(order["id"], "cancelled")).status == 200
    assert (await laundry.get("/laundry/orders"))["total"] == 0
