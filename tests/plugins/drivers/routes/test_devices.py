"""Devices of drivers."""

from comanda.devkit.testing import process_queue
from comanda_drivers.services import auto_dispatch


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
