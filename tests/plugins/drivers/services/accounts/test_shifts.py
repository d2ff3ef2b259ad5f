"""Shifts of drivers."""


async def test_shift_is_started_ended_and_toggled(driver, clock):
    began = clock()
    for body, status in (({}, "on"), ({"status": "on"}, "on"), ({}, "off"), ({"status": "off"}, "off"), (None, "on")):
        reply = await driver.send("POST", "/shift", body)
        assert (reply.status, reply["status"], reply["is_on_shift"]) == (200, status, status == "on")
        assert reply["changed_at"] == began.isoformat()
        if body == {"status": status}:
            # The same again has changed nothing, so the next one is at another time.
            clock.advance(minutes=1)
            began = clock()
    assert (await driver.get("/me"))["is_on_shift"] is True
    assert list((await driver.send("POST", "/shift", {"status": "maybe"})).errors) == ["status"]


async def test_shift_with_active_deliveries_ends_only_if_forced(kitchen, driver):
    await driver.send("POST", "/shift", {"status": "on"})
    order = await kitchen.place_assigned(driver)

    for body in ({"status": "off"}, {}):
        reply = await driver.send("POST", "/shift", body)
        assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "active_deliveries")
    assert (await driver.get("/me"))["is_on_shift"] is True
    assert (await driver.send("POST", "/shift", {"status": "off", "force": True}))["status"] == "off"
    await driver.send("POST", "/shift", {"status": "on"})
    await driver.set_status(order["id"], "failed")
    assert (await driver.send("POST", "/shift", {"status": "off"}))["status"] == "off"
