"""The driver in order records and on tracking pages."""


async def test_tracking_shows_driver_while_out_for_delivery(client, kitchen, driver, clock):
    order = await kitchen.place_delivery()
    path = f"/api/v1/track/{order['track_token']}"

    async def tracked():
        return (await (await client.get(path)).get_json()).get("driver", "absent")

    assert await tracked() == "absent"
    await driver.claim(order["id"])
    await driver.send_location(38.71, -9.13)
    assert await tracked() == "absent"
    for status in ("picked_up", "out_for_delivery"):
        await driver.set_status(order["id"], status)
        assert await tracked() == {
            "name": "Rui", "lat": 38.71, "lng": -9.13, "location_updated_at": clock().isoformat(),
        }  # fmt: skip
    await driver.set_status(order["id"], "delivered")
    assert await tracked() == "absent"
    # Out for delivery without a driver.
    bare = await kitchen.place_delivery()
    await kitchen.override_status(bare, "out_for_delivery")
    path = f"/api/v1/track/{bare['track_token']}"
    assert await tracked() == "absent"


async def test_driver_is_null_until_assigned(kitchen, driver):
    order = await kitchen.place_delivery()
    assert order["driver"] is None
    assert (await kitchen.get_order(order))["driver"] is None
    await kitchen.assign(order, driver.id)
    assert (await kitchen.get_order(order))["driver"] == {"id": driver.id, "name": "Rui Costa", "phone": driver.phone}
