"""Devices of drivers."""

from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_drivers.services.dispatch import auto_dispatch
from comanda_notifications.services.sender import QUEUES

from tests.plugins.web_push.browsers import open_browser


async def test_devices_receive_offers_and_assignments(offering, drivers, owner):
    [driver] = await drivers(0.01)
    device = {"platform": "android", "token": f"device-{driver.id}"}
    assert (await driver.send("POST", "/push/register-device", device)).document == {"registered": True}
    await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    order = await offering.place_delivery()
    await offering.assign(order, driver.id)
    await offering.assign(order, driver.id)
    token = {"token": device["token"]}
    assert (await driver.send("POST", "/push/unregister-device", token)).document == {"registered": False}
    await offering.assign(await offering.place_delivery(), driver.id)

    told = [row[:2] for row in await offering.list_messages()]
    assert told == [("push", "drivers.offer"), ("push", "drivers.assigned")]


async def test_browser_receives_offers_until_its_subscription_ends(offering, drivers, owner):
    [push] = [queue for queue in QUEUES if queue.name.endswith("push")]
    await sql.execute("DELETE FROM notifications_message WHERE status = 'pending'")
    [driver] = await drivers(0.01)
    async with open_browser() as browser:
        device = {"platform": "web", "token": browser.token, "locale": "de"}
        assert (await driver.send("POST", "/push/register-device", device)).document == {"registered": True}
        order = await offering.place_delivery()
        await process_queue(auto_dispatch.QUEUE)
        await process_queue(push)
        shown = browser.read()
        browser.status = 410
        await offering.assign(await offering.place_delivery(), driver.id)
        await process_queue(push)
        await offering.assign(await offering.place_delivery(), driver.id)
        await process_queue(push)

    assert str(order["number"]) in f"{shown['title']} {shown['text']}"
    assert shown["data"]["order_id"] == order["id"]
    assert len(browser.received) == 2
    assert await sql.fetch_value("SELECT count(*) FROM notifications_device WHERE owner_id = $1", owner.id) == 0
