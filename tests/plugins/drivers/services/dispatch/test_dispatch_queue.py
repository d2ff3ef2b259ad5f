"""The dispatch queue: when orders are offered, and when they no longer are."""

import pytest
from comanda.devkit.testing import process_queue
from comanda_drivers.services.dispatch import auto_dispatch


@pytest.mark.parametrize(("offer_at", "reached"), [("created", "new"), ("preparing", "preparing"), ("ready", "ready")])
async def test_order_is_offered_from_the_configured_status_on(offering, drivers, offer_at, reached):
    await offering.set_terms(offer_at=offer_at)
    [driver] = await drivers(0.01)
    order = await offering.place_delivery()
    steps = ["new", "preparing", "ready"]
    for status in steps[: steps.index(reached)]:
        await offering.set_status(order["id"], status)
        await process_queue(auto_dispatch.QUEUE)
        assert await driver.list_offers() == await driver.list_ids("/available") == []
        assert (await driver.claim(order["id"])).status == 404
    await offering.set_status(order["id"], reached)
    await process_queue(auto_dispatch.QUEUE)

    assert [each["order_id"] for each in await driver.list_offers()] == [order["id"]]


async def test_cancelled_order_is_offered_again_once_reopened(offering, drivers):
    [driver] = await drivers(0.01)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await driver.list_offers()

    assert (await offering.set_status(order["id"], "cancelled")).status == 200
    assert await driver.list_offers() == []
    assert (await driver.accept_offer(offer))["reason"] == "offer_expired"
    assert (await offering.set_status(order["id"], "new")).status == 200
    await process_queue(auto_dispatch.QUEUE)

    assert await offering.list_offer_states(order) == [(driver.id, "withdrawn", 1), (driver.id, "open", 1)]


async def test_assignment_withdraws_offer_and_release_offers_again(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await near.list_offers()

    assert (await offering.assign(order, far.id)).status == 200
    assert (await near.accept_offer(offer))["reason"] == "offer_expired"
    assert (await offering.override_status(order, "pending")).status == 200
    await process_queue(auto_dispatch.QUEUE)

    assert await offering.list_offer_states(order) == [(near.id, "withdrawn", 1), (near.id, "open", 1)]


async def test_ending_a_shift_passes_offers_on(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await near.list_offers()

    assert (await near.send("POST", "/shift", {"status": "off"})).status == 200
    await process_queue(auto_dispatch.QUEUE)

    assert (await near.accept_offer(offer))["reason"] == "offer_expired"
    assert await offering.list_offer_states(order) == [(near.id, "expired", 1), (far.id, "open", 1)]


async def test_disabling_offers_moves_orders_to_the_pool(offering, drivers):
    [driver] = await drivers(0.01)
    offered = await offering.place_delivery()
    await offering.set_terms(offer_at="ready")
    waiting = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    await offering.set_terms(dispatch_mode="pool")
    await process_queue(auto_dispatch.QUEUE)

    assert await driver.list_ids("/available") == [offered["id"], waiting["id"]]
    assert (await offering.list_offer_states(offered), await offering.list_offer_states(waiting)) == (
        [(driver.id, "withdrawn", 1)],
        [],
    )
