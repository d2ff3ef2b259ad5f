"""Automatic dispatch: who is offered an order, in which sequence, and what follows the last round."""

import asyncio

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import line, process_queue
from comanda_drivers.services.dispatch import auto_dispatch
from paying_first import open_account, pay, place_order, set_payments


async def test_nearest_driver_alone_is_offered_the_order(offering, drivers, clock):
    far, near, unknown = await drivers(0.2, 0.01, None)
    order = await offering.place_delivery(2)
    await process_queue(auto_dispatch.QUEUE)

    [offer] = await near.list_offers()

    assert (offer["order_id"], offer["distance_m"]) == (order["id"], 868)
    assert (offer["delivery"]["id"], offer["delivery"]["total"], offer["delivery"]["customer"]) == (
        order["id"], 20, None,
    )  # fmt: skip
    assert offer["expires_at"] > offer["created_at"]
    for other in (far, unknown):
        assert await other.list_offers() == []
        assert (await other.accept_offer(offer)).status == 404
        assert (await other.reject_offer(offer)).status == 404
        assert (await other.claim(order["id"])).status == 404
    for everybody in (far, near, unknown):
        assert await everybody.list_ids("/available") == []
    assert await offering.list_offer_states(order) == [(near.id, "open", 1)]


async def test_order_is_pooled_after_three_rounds_and_owner_notified(offering, drivers, clock, owner):
    one, two = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    for _ in range(7):
        await process_queue(auto_dispatch.QUEUE)
        clock.advance(seconds=61)

    asked = [(one.id, "expired"), (two.id, "expired")]
    assert await offering.list_offer_states(order) == [(*each, number) for number in (1, 2, 3) for each in asked]
    assert await one.list_ids("/available") == await two.list_ids("/available") == [order["id"]]
    told = await offering.list_messages()
    assert [(channel, purpose, to) for channel, purpose, to, _ in told] == [("email", "drivers.unclaimed", owner.email)]
    assert f"order {order['number']}" in told[0][3]
    assert (await two.claim(order["id"])).status == 200


async def test_rounds_without_drivers_last_as_long_as_offers(offering, driver, clock):
    order = await offering.place_delivery()
    for _ in range(2):
        await process_queue(auto_dispatch.QUEUE)
        assert await driver.list_ids("/available") == []
        clock.advance(seconds=61)
    await driver.send("POST", "/shift", {"status": "on"})
    await process_queue(auto_dispatch.QUEUE)

    assert await offering.list_offer_states(order) == [(driver.id, "open", 3)]


async def test_only_drivers_with_capacity_on_shift_get_offers(offering, drivers):
    await offering.set_terms(max_active_deliveries=1)
    near, far = await drivers(0.01, 0.1)
    elsewhere = await offering.add_driver("Eva", "+351961234699", restaurant_id=await offering.owner.store())
    await elsewhere.send("POST", "/shift", {"status": "on"})
    off = await offering.add_driver("Off", "+351961234698")
    orders = [await offering.place_delivery() for _ in range(3)]

    await process_queue(auto_dispatch.QUEUE)

    assert [await offering.list_offer_states(order) for order in orders] == [
        [(near.id, "open", 1)],
        [(far.id, "open", 1)],
        [],
    ]
    assert await elsewhere.list_offers() == await off.list_offers() == []


async def test_longest_waiting_of_equally_near_drivers_is_offered(offering, drivers, clock):
    one, two = await drivers(None, None)
    clock.advance(minutes=1)
    first = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await one.list_offers()
    assert (await one.accept_offer(offer)).status == 200
    second = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)

    assert (await offering.list_offer_states(first), await offering.list_offer_states(second)) == (
        [(one.id, "accepted", 1)],
        [(two.id, "open", 1)],
    )


async def test_failed_step_is_retried(offering, drivers, monkeypatch, clock):
    [driver] = await drivers(0.01)
    order = await offering.place_delivery()

    async def die(*_, **__):
        raise RuntimeError("killed")

    # After the offer was written, and before that was committed.
    monkeypatch.setattr(auto_dispatch, "push_template", die)
    with pytest.raises(RuntimeError):
        await auto_dispatch.process_dispatch(offering.owner.id, order["id"])
    assert await offering.list_offer_states(order) == []
    await process_queue(auto_dispatch.QUEUE)
    monkeypatch.undo()
    clock.advance(seconds=31)
    await process_queue(auto_dispatch.QUEUE)

    assert await offering.list_offer_states(order) == [(driver.id, "open", 1)]


async def test_concurrent_workers_create_one_offer(offering, drivers):
    await drivers(0.01, 0.02, 0.03)
    orders = [await offering.place_delivery() for _ in range(3)]

    await asyncio.gather(*(process_queue(auto_dispatch.QUEUE) for _ in range(8)))

    assert [len(await offering.list_offer_states(order)) for order in orders] == [1, 1, 1]


async def test_orders_of_suspended_owner_are_offered_once_it_is_back(offering, driver, clock, owner):
    await driver.send("POST", "/shift", {"status": "on"})
    order = await offering.place_delivery()
    await administration.suspend_owner(owner.id, "Unpaid")
    for _ in range(9):
        await process_queue(auto_dispatch.QUEUE)
        clock.advance(seconds=61)

    assert await offering.list_offer_states(order) == []

    await administration.unsuspend_owner(owner.id)
    await process_queue(auto_dispatch.QUEUE)

    assert await offering.list_offer_states(order) == [(driver.id, "open", 1)]


async def test_order_that_is_paid_first_is_offered_once_it_is_paid(offering, drivers, clock):
    (driver,) = await drivers(0.01)
    await open_account(offering)
    await set_payments(offering, online_delivery="required")
    order = await place_order(offering, line(offering.pizza), type="delivery", address="Rua da Prata 8")
    await process_queue(auto_dispatch.QUEUE)
    assert await driver.list_offers() == []

    await pay(offering, order)
    clock.advance(seconds=61)
    await process_queue(auto_dispatch.QUEUE)

    assert [offer["order_id"] for offer in await driver.list_offers()] == [order["id"]]


async def test_pool_shows_an_order_that_is_paid_first_once_it_is_paid(kitchen, driver):
    await open_account(kitchen)
    await set_payments(kitchen, online_delivery="required")
    order = await place_order(kitchen, line(kitchen.pizza), type="delivery", address="Rua da Prata 8")
    assert await driver.list_ids("/available") == []

    await pay(kitchen, order)

    assert await driver.list_ids("/available") == [order["id"]]
