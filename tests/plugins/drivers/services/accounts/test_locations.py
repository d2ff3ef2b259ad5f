"""Locations of drivers."""

import asyncio
from datetime import timedelta

HOME = {"address_lat": 38.7139, "address_lng": -9.1435}


async def test_trail_is_recorded_during_active_deliveries_only(kitchen, driver, clock):
    assert (await driver.send_location(38.71, -9.13)).document == {"ok": True}
    assert (await driver.read_position(), await driver.read_trail()) == ((38.71, -9.13, clock()), [])

    order = await kitchen.place_assigned(driver)
    for step in (1, 2):
        clock.advance(seconds=1)
        await driver.send_location(38.71 + step, -9.13, accuracy=5, heading=360, speed=8.5)
    assert await driver.read_trail() == [(39.71, -9.13), (40.71, -9.13)]

    await driver.set_status(order["id"], "delivered")
    clock.advance(seconds=1)
    await driver.send_location(1, 2)
    assert (await driver.read_position(), len(await driver.read_trail())) == ((1, 2, clock()), 2)


async def test_older_and_too_frequent_points_are_ignored(kitchen, driver, clock):
    await kitchen.place_assigned(driver)
    now = clock()
    await driver.send_location(1, 1, recorded_at=now.isoformat())

    for moment in (now - timedelta(seconds=30), now, now + timedelta(milliseconds=999)):
        clock.set(max(clock(), moment))
        assert (await driver.send_location(2, 2, recorded_at=moment.isoformat())).document == {"ok": True}
        assert (await driver.read_position(), await driver.read_trail()) == ((1, 1, now), [(1, 1)])
    clock.set(now + timedelta(seconds=1))
    await driver.send_location(3, 3)
    assert await driver.read_trail() == [(1, 1), (3, 3)]


async def test_future_timestamps_do_not_block_updates(driver, clock):
    now = clock()
    await driver.send_location(1, 1, recorded_at=(now + timedelta(days=400)).isoformat())
    assert await driver.read_position() == (1, 1, now)
    clock.advance(seconds=1)
    await driver.send_location(2, 2)
    assert (await driver.read_position())[:2] == (2, 2)


async def test_one_of_concurrent_points_is_recorded(kitchen, driver, clock):
    await kitchen.place_assigned(driver)

    replies = await asyncio.gather(*(driver.send_location(n, n) for n in range(20)))

    assert {reply.status for reply in replies} == {200}
    assert len(await driver.read_trail()) == 1


async def test_point_of_year_one_is_accepted(driver):
    assert (await driver.send_location(0, 0, recorded_at="0001-01-01T00:00:00+00:00")).status == 200
    assert (await driver.send_location(1, 1)).status == 200
    assert (await driver.read_position())[:2] == (1, 1)


async def test_customer_is_told_once_that_the_driver_is_near(kitchen, driver, clock, announced, dispatch):
    reply = await kitchen.send("PUT", "/order-messages", {"messages": ["near"], "channels": ["sms"]})
    assert reply.status == 200, reply
    order = await kitchen.place_assigned(driver, **HOME)

    async def come(metres, **fields):
        clock.advance(seconds=1)
        assert (await driver.send_location(38.7139 + metres / 111_195, -9.1435, **fields)).status == 200

    await come(10)
    await driver.set_status(order["id"], "out_for_delivery")
    await come(510)
    await come(10, accuracy=300)
    assert (await announced()).count("order.driver_near") == 0
    await come(490, accuracy=20)
    await come(10)

    assert (await announced()).count("order.driver_near") == 1
    await dispatch()
    [(channel, purpose, address, text)] = await kitchen.list_messages()
    assert (channel, purpose, address) == ("sms", "orders.near", "+351912345678")
    title = (await kitchen.get())["title"]
    assert text.startswith(f"The driver with your order {order['number']} from {title} is almost there: http")


async def test_points_that_arrive_together_announce_the_driver_once(kitchen, driver, clock, announced):
    order = await kitchen.place_assigned(driver, **HOME)
    await driver.set_status(order["id"], "out_for_delivery")
    moments = [clock() + timedelta(seconds=second) for second in range(1, 9)]
    clock.advance(seconds=10)

    await asyncio.gather(*(driver.send_location(38.7139, -9.1435, recorded_at=each.isoformat()) for each in moments))

    assert (await announced()).count("order.driver_near") == 1


async def test_addresses_without_a_position_have_nobody_near(kitchen, driver, clock, announced):
    order = await kitchen.place_assigned(driver)
    await driver.set_status(order["id"], "out_for_delivery")
    clock.advance(seconds=1)
    await driver.send_location(38.7139, -9.1435)

    assert "order.driver_near" not in await announced()
