"""The driver in order records and on tracking pages."""

from comanda_drivers.sections import load_routes


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


async def test_tracking_page_knows_the_route_and_other_stops(kitchen, driver):
    await kitchen.set_terms(lat=38.7139, lng=-9.1335)
    order = await kitchen.place_assigned(driver, address_lat=38.71, address_lng=-9.137)
    other = await kitchen.place_assigned(driver)
    await kitchen.place_assigned(driver)
    for each in (order, other):
        await driver.set_status(each["id"], "out_for_delivery")

    found = await load_routes(kitchen.owner.id, [order["id"], other["id"]])

    store = {"lat": 38.7139, "lng": -9.1335}
    assert found == {
        order["id"]: {"route": {"store": store, "dropoff": {"lat": 38.71, "lng": -9.137}, "other_stops": 1}},
        other["id"]: {"route": {"store": store, "dropoff": None, "other_stops": 1}},
    }


async def test_route_is_not_in_the_public_record(client, kitchen, driver):
    order = await kitchen.place_assigned(driver, address_lat=38.71, address_lng=-9.137)
    await driver.set_status(order["id"], "out_for_delivery")

    tracked = await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()

    assert "driver" in tracked
    assert "route" not in tracked
