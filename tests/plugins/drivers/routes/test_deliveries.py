"""Deliveries of a store, over HTTP."""


async def test_delivery_status_may_be_sent_as_status(kitchen):
    order = await kitchen.place_delivery()

    reply = await kitchen.send("PUT", f"/orders/{order['id']}/delivery-status", {"status": "picked_up"})

    assert (reply.status, reply["delivery_status"]) == (200, "picked_up")


async def test_deliveries_are_filtered_by_status_and_driver(kitchen, driver, foreign):
    await kitchen.place({"item_id": kitchen.pizza["id"]})
    free, mine, done = (
        await kitchen.place_delivery(),
        await kitchen.place_assigned(driver),
        await kitchen.place_assigned(driver),
    )
    await driver.set_status(done["id"], "delivered")
    await foreign.place_delivery()

    async def ids(query=""):
        return [each["id"] for each in (await kitchen.get(f"/deliveries?{query}"))["data"]]

    assert await ids() == [done["id"], mine["id"], free["id"]]
    assert await ids("delivery_status=delivered") == [done["id"]]
    assert await ids(f"driver_id={driver.id}") == [done["id"], mine["id"]]
    assert await ids(f"driver_id={driver.id}&delivery_status=assigned") == [mine["id"]]
    assert await ids("driver_id=987654321") == []
    assert await ids("active=1") == [mine["id"], free["id"]]
    await kitchen.set_status(free["id"], "cancelled")
    assert await ids("active=1") == [mine["id"]]
    assert list((await kitchen.send("GET", "/deliveries?delivery_status=eaten")).errors) == ["delivery_status"]
    page = await kitchen.get("/deliveries")
    assert (page["per_page"], page["total"]) == (30, 3)
    assert page["data"][0]["driver"] == {"id": driver.id, "name": "Rui Costa", "phone": driver.phone}
    assert page["data"][2]["driver"] is None
