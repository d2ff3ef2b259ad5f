"""The list of what is due, and the day for which an order is promised."""

from comanda.devkit.testing import line


async def list_due(laundry, due):
    return [each["order_id"] for each in (await laundry.get(f"/laundry/orders?due={due}"))["data"]]


async def test_orders_are_due_by_their_day(laundry, clock):
    late = await laundry.drop_off()
    clock.advance(days=3)
    today = await laundry.drop_off(line(await laundry.item("Express shirt", 5, ready_days=1)))
    clock.advance(days=1)

    assert await list_due(laundry, "open") == [late["id"], today["id"]]
    assert (await list_due(laundry, "today"), await list_due(laundry, "overdue")) == ([today["id"]], [late["id"]])
    assert [each["is_overdue"] for each in (await laundry.get("/laundry/orders"))["data"]] == [True, False]


async def test_closed_and_delivered_orders_are_not_due(laundry):
    closed, brought = await laundry.drop_off(line(laundry.shirt)), await laundry.drop_off(line(laundry.shirt))
    await laundry.set_status(closed["id"], "completed")
    await laundry.set_status(brought["id"], "delivered")

    assert await list_due(laundry, "open") == []
    await laundry.set_status(closed["id"], "ready")
    assert await list_due(laundry, "open") == [closed["id"]]


async def test_another_day_is_promised(laundry):
    order = await laundry.drop_off()

    changed = await laundry.send("PUT", f"/laundry/orders/{order['id']}/ready-day", {"ready_on": "2030-02-01"})

    assert (changed.status, changed["ready_on"]) == (200, "2030-02-01")
    assert (await laundry.intake(order))["ready_on"] == "2030-02-01"


async def test_goods_that_are_not_cleaned_have_no_day(laundry):
    bag = await laundry.item("Laundry bag", 9, ready_days=0)
    order = await laundry.drop_off(line(bag))

    assert (await laundry.send("GET", f"/laundry/orders/{order['id']}")).status == 404
    assert (await laundry.get("/laundry/orders"))["total"] == 0
