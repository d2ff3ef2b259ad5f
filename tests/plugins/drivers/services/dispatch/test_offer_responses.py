"""Responses to offers: accept and reject, in time, too late, and concurrently."""

import asyncio
from collections import Counter

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_drivers.services.dispatch import auto_dispatch

SELECT_DISPATCH = "SELECT round FROM drivers_dispatch WHERE order_id = $1"


async def test_accepting_claims_and_is_idempotent(offering, drivers, announced):
    [driver] = await drivers(0.01)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await driver.list_offers()

    first, again = await driver.accept_offer(offer), await driver.accept_offer(offer)

    assert (first.status, first["id"], first["delivery_status"]) == (200, order["id"], "assigned")
    assert (again.status, again.document) == (200, first.document)
    assert await announced() == ["order.driver_assigned"]
    assert await offering.list_offer_states(order) == [(driver.id, "accepted", 1)]
    assert await sql.fetch(SELECT_DISPATCH, order["id"]) == []
    assert await driver.list_offers() == []


async def test_rejected_offer_goes_to_the_next_driver(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await near.list_offers()

    replies = [await near.reject_offer(offer, reason="Flat tyre") for _ in range(2)]
    await process_queue(auto_dispatch.QUEUE)

    assert [(reply.status, reply.document) for reply in replies] == [
        (200, {"id": offer["id"], "status": "rejected"})
    ] * 2
    assert (await near.accept_offer(offer)).status == 409
    assert [each["order_id"] for each in await far.list_offers()] == [order["id"]]
    assert await offering.list_offer_states(order) == [(near.id, "rejected", 1), (far.id, "open", 1)]
    reason = "SELECT reason FROM drivers_offer WHERE id = $1"
    assert await sql.fetch_value(reason, offer["id"]) == "Flat tyre"


async def test_offer_expires_after_a_minute(offering, drivers, clock, rows):
    [driver] = await drivers(0.01)
    await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await driver.list_offers()
    clock.advance(seconds=60)
    before = await rows()

    replies = [await driver.accept_offer(offer), await driver.reject_offer(offer)]

    assert [(reply.status, reply["code"], reply["reason"]) for reply in replies] == [
        (409, "conflict", "offer_expired")
    ] * 2
    assert await driver.list_offers() == []
    assert await rows() == before


@pytest.mark.parametrize("number", range(6))
async def test_one_of_concurrent_responses_and_assignments_wins(offering, drivers, clock, number):
    near, far = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await near.list_offers()
    acts = [
        near.accept_offer(offer),
        near.claim(order["id"]),
        near.reject_offer(offer),
        far.claim(order["id"]),
        offering.assign(order, far.id),
        auto_dispatch.process_dispatch(offering.owner.id, order["id"]),
    ]
    if number % 2:
        clock.advance(seconds=60)

    await asyncio.gather(*acts[number:], *acts[:number])
    await process_queue(auto_dispatch.QUEUE)

    standing = "SELECT driver_id FROM drivers_assignment WHERE order_id = $1 AND released_at IS NULL"
    holders = [row["driver_id"] for row in await sql.fetch(standing, order["id"])]
    # The owner's assignment replaces any other.
    assert holders == [far.id]
    assert (await near.list_ids(), await far.list_ids()) == ([], [order["id"]])
    assert await sql.fetch(SELECT_DISPATCH, order["id"]) == []
    assert "open" not in [state for _, state, _ in await offering.list_offer_states(order)]


async def test_concurrent_accept_and_claims_have_one_winner(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.place_delivery()
    await process_queue(auto_dispatch.QUEUE)
    [offer] = await near.list_offers()

    replies = await asyncio.gather(*([near.accept_offer(offer)] * 1), *(far.claim(order["id"]) for _ in range(5)))

    assert replies[0].status == 200
    assert {reply.status for reply in replies[1:]} <= {404, 409}
    assert Counter(state for _, state, _ in await offering.list_offer_states(order)) == {"accepted": 1}
