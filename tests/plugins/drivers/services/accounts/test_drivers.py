"""The limit of active deliveries, and the lock on drivers."""

import asyncio
from collections import Counter

DRIVERS = "/api/v1/drivers"


async def test_concurrent_claims_respect_the_active_limit(kitchen, driver):
    assert (await kitchen.set_terms(max_active_deliveries=3)).status == 200
    orders = [await kitchen.place_delivery() for _ in range(8)]

    replies = await asyncio.gather(*(driver.claim(order["id"]) for order in orders))

    assert Counter(reply.status for reply in replies) == {200: 3, 409: 5}
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"too_many_active"}
    # Delivered and cancelled orders free capacity.
    mine = await driver.list_ids()
    free = await driver.list_ids("/available")
    assert (await driver.set_status(mine[0], "delivered")).status == 200
    assert (await kitchen.set_status(mine[1], "cancelled")).status == 200
    assert [(await driver.claim(order_id)).status for order_id in free[:3]] == [200, 200, 409]


async def test_driver_being_deleted_gets_no_delivery(kitchen):
    for _ in range(5):
        driver = await kitchen.add_driver()
        order = await kitchen.place_delivery()

        replies = await asyncio.gather(
            kitchen.send_to(f"{DRIVERS}/{driver.id}", "DELETE"),
            kitchen.assign(order, driver.id),
            driver.claim(order["id"]),
        )

        is_gone = replies[0].status == 204
        assert is_gone == ((await kitchen.get_order(order))["driver"] is None)
