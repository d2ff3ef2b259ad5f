"""Offers: who is asked, for how long, who has the order in the end, and who is told that nobody wanted it."""

import asyncio
from collections import Counter

import pytest
from comanda.db import sql
from comanda_drivers.services import auto_dispatch, delivery_terms

LOOKING = "SELECT round FROM drivers_dispatch WHERE order_id = $1"


async def test_the_nearest_is_asked_first_and_nobody_else_sees_it(offering, drivers, clock):
    far, near, unknown = await drivers(0.2, 0.01, None)
    order = await offering.delivery(2)
    await auto_dispatch.process_due_dispatches()

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
        assert await everybody.ids("/available") == []
    assert await offering.offer_states(order) == [(near.id, "open", 1)]


async def test_accepting_is_claiming_and_the_same_again_changes_nothing(offering, drivers, announced):
    [rider] = await drivers(0.01)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await rider.list_offers()

    first, again = await rider.accept_offer(offer), await rider.accept_offer(offer)

    assert (first.status, first["id"], first["delivery_status"]) == (200, order["id"], "assigned")
    assert (again.status, again.document) == (200, first.document)
    assert await announced() == ["order.driver_assigned"]
    assert await offering.offer_states(order) == [(rider.id, "accepted", 1)]
    assert await sql.fetch(LOOKING, order["id"]) == []
    assert await rider.list_offers() == []


async def test_whoever_refuses_is_not_asked_again_and_the_next_is_asked_at_once(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await near.list_offers()

    replies = [await near.reject_offer(offer, reason="Flat tyre") for _ in range(2)]
    await auto_dispatch.process_due_dispatches()

    assert [(reply.status, reply.document) for reply in replies] == [
        (200, {"id": offer["id"], "status": "rejected"})
    ] * 2
    assert (await near.accept_offer(offer)).status == 409
    assert [each["order_id"] for each in await far.list_offers()] == [order["id"]]
    assert await offering.offer_states(order) == [(near.id, "rejected", 1), (far.id, "open", 1)]
    reason = "SELECT reason FROM drivers_offer WHERE id = $1"
    assert await sql.fetch_value(reason, offer["id"]) == "Flat tyre"


async def test_after_three_rounds_the_order_is_in_the_pool_and_the_owner_is_told_once(offering, drivers, clock, owner):
    one, two = await drivers(0.01, 0.1)
    order = await offering.delivery()
    for _ in range(7):
        await auto_dispatch.process_due_dispatches()
        clock.advance(seconds=61)

    asked = [(one.id, "expired"), (two.id, "expired")]
    assert await offering.offer_states(order) == [(*each, number) for number in (1, 2, 3) for each in asked]
    assert await one.ids("/available") == await two.ids("/available") == [order["id"]]
    told = await offering.messages()
    assert [(channel, purpose, to) for channel, purpose, to, _ in told] == [("email", "drivers.unclaimed", owner.email)]
    assert f"order {order['number']}" in told[0][3]
    assert (await two.claim(order["id"])).status == 200


async def test_with_nobody_on_shift_it_is_tried_for_as_long_as_three_offers_last(offering, rider, clock):
    order = await offering.delivery()
    for _ in range(2):
        await auto_dispatch.process_due_dispatches()
        assert await rider.ids("/available") == []
        clock.advance(seconds=61)
    await rider.send("POST", "/shift", {"status": "on"})
    await auto_dispatch.process_due_dispatches()

    assert await offering.offer_states(order) == [(rider.id, "open", 3)]


async def test_an_offer_is_over_after_a_minute_even_before_anybody_looked(offering, drivers, clock, rows):
    [rider] = await drivers(0.01)
    await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await rider.list_offers()
    clock.advance(seconds=60)
    before = await rows()

    replies = [await rider.accept_offer(offer), await rider.reject_offer(offer)]

    assert [(reply.status, reply["code"], reply["reason"]) for reply in replies] == [
        (409, "conflict", "offer_expired")
    ] * 2
    assert await rider.list_offers() == []
    assert await rows() == before


async def test_nobody_is_offered_more_than_they_may_carry_or_off_shift_or_of_another_store(offering, drivers):
    await offering.terms(max_active_deliveries=1)
    near, far = await drivers(0.01, 0.1)
    elsewhere = await offering.rider("Eva", "+351961234699", restaurant_id=await offering.owner.store())
    await elsewhere.send("POST", "/shift", {"status": "on"})
    off = await offering.rider("Off", "+351961234698")
    orders = [await offering.delivery() for _ in range(3)]

    await auto_dispatch.process_due_dispatches()

    assert [await offering.offer_states(order) for order in orders] == [
        [(near.id, "open", 1)],
        [(far.id, "open", 1)],
        [],
    ]
    assert await elsewhere.list_offers() == await off.list_offers() == []


async def test_of_those_as_near_whoever_has_waited_longest_is_asked(offering, drivers, clock):
    one, two = await drivers(None, None)
    clock.advance(minutes=1)
    first = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await one.list_offers()
    assert (await one.accept_offer(offer)).status == 200
    second = await offering.delivery()
    await auto_dispatch.process_due_dispatches()

    assert (await offering.offer_states(first), await offering.offer_states(second)) == (
        [(one.id, "accepted", 1)],
        [(two.id, "open", 1)],
    )


@pytest.mark.parametrize(("offer_at", "reached"), [("created", "new"), ("preparing", "preparing"), ("ready", "ready")])
async def test_an_order_is_offered_when_the_kitchen_is_far_enough(offering, drivers, offer_at, reached):
    await offering.terms(offer_at=offer_at)
    [rider] = await drivers(0.01)
    order = await offering.delivery()
    steps = ["new", "preparing", "ready"]
    for status in steps[: steps.index(reached)]:
        await offering.set_status(order["id"], status)
        await auto_dispatch.process_due_dispatches()
        assert await rider.list_offers() == await rider.ids("/available") == []
        assert (await rider.claim(order["id"])).status == 404
    await offering.set_status(order["id"], reached)
    await auto_dispatch.process_due_dispatches()

    assert [each["order_id"] for each in await rider.list_offers()] == [order["id"]]


async def test_what_is_cancelled_is_offered_no_more_until_it_is_back(offering, drivers):
    [rider] = await drivers(0.01)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await rider.list_offers()

    assert (await offering.set_status(order["id"], "cancelled")).status == 200
    assert await rider.list_offers() == []
    assert (await rider.accept_offer(offer))["reason"] == "offer_expired"
    assert (await offering.set_status(order["id"], "new")).status == 200
    await auto_dispatch.process_due_dispatches()

    assert await offering.offer_states(order) == [(rider.id, "withdrawn", 1), (rider.id, "open", 1)]


async def test_what_the_owner_gives_away_is_withdrawn_and_what_comes_back_is_offered_again(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await near.list_offers()

    assert (await offering.assign(order, far.id)).status == 200
    assert (await near.accept_offer(offer))["reason"] == "offer_expired"
    assert (await offering.override(order, "pending")).status == 200
    await auto_dispatch.process_due_dispatches()

    assert await offering.offer_states(order) == [(near.id, "withdrawn", 1), (near.id, "open", 1)]


async def test_what_is_offered_to_somebody_who_goes_off_shift_goes_to_the_next_at_once(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await near.list_offers()

    assert (await near.send("POST", "/shift", {"status": "off"})).status == 200
    await auto_dispatch.process_due_dispatches()

    assert (await near.accept_offer(offer))["reason"] == "offer_expired"
    assert await offering.offer_states(order) == [(near.id, "expired", 1), (far.id, "open", 1)]


async def test_with_the_mode_manual_nothing_is_in_the_pool_and_nothing_can_be_claimed(kitchen, rider, rows):
    await kitchen.terms(dispatch_mode="manual")
    order = await kitchen.delivery()
    before = await rows()

    assert await rider.ids("/available") == []
    assert (await rider.claim(order["id"])).status == 404
    assert await rows() == before
    assert (await kitchen.assign(order, rider.id)).status == 200


async def test_a_store_that_stops_offering_leaves_its_orders_to_the_pool_at_once(offering, drivers):
    [rider] = await drivers(0.01)
    offered = await offering.delivery()
    await offering.terms(offer_at="ready")
    waiting = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    await offering.terms(dispatch_mode="pool")
    await auto_dispatch.process_due_dispatches()

    assert await rider.ids("/available") == [offered["id"], waiting["id"]]
    assert (await offering.offer_states(offered), await offering.offer_states(waiting)) == (
        [(rider.id, "withdrawn", 1)],
        [],
    )


async def test_a_step_that_dies_in_the_middle_is_taken_again(offering, drivers, monkeypatch, clock):
    [rider] = await drivers(0.01)
    order = await offering.delivery()

    async def die(*_, **__):
        raise RuntimeError("killed")

    # After the offer was written, and before that was committed.
    monkeypatch.setattr(auto_dispatch, "push_template", die)
    with pytest.raises(RuntimeError):
        await auto_dispatch.process_dispatch(offering.owner.id, order["id"])
    assert await offering.offer_states(order) == []
    await auto_dispatch.process_due_dispatches()
    monkeypatch.undo()
    clock.advance(seconds=31)
    await auto_dispatch.process_due_dispatches()

    assert await offering.offer_states(order) == [(rider.id, "open", 1)]


async def test_steps_of_many_processes_at_once_make_one_offer(offering, drivers):
    await drivers(0.01, 0.02, 0.03)
    orders = [await offering.delivery() for _ in range(3)]

    await asyncio.gather(*(auto_dispatch.process_due_dispatches() for _ in range(8)))

    assert [len(await offering.offer_states(order)) for order in orders] == [1, 1, 1]


@pytest.mark.parametrize("number", range(6))
async def test_of_accepting_expiring_claiming_and_giving_away_at_once_one_wins(offering, drivers, clock, number):
    near, far = await drivers(0.01, 0.1)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
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
    await auto_dispatch.process_due_dispatches()

    standing = "SELECT driver_id FROM drivers_assignment WHERE order_id = $1 AND released_at IS NULL"
    holders = [row["driver_id"] for row in await sql.fetch(standing, order["id"])]
    # The owner's word is the last, whoever was first.
    assert holders == [far.id]
    assert (await near.ids(), await far.ids()) == ([], [order["id"]])
    assert await sql.fetch(LOOKING, order["id"]) == []
    assert "open" not in [state for _, state, _ in await offering.offer_states(order)]


async def test_two_who_take_one_order_at_once_are_not_both_told_yes(offering, drivers):
    near, far = await drivers(0.01, 0.1)
    order = await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    [offer] = await near.list_offers()

    replies = await asyncio.gather(*([near.accept_offer(offer)] * 1), *(far.claim(order["id"]) for _ in range(5)))

    assert replies[0].status == 200
    assert {reply.status for reply in replies[1:]} <= {404, 409}
    assert Counter(state for _, state, _ in await offering.offer_states(order)) == {"accepted": 1}


async def test_devices_hear_of_offers_and_of_what_the_owner_gives(offering, drivers, owner):
    [rider] = await drivers(0.01)
    device = {"platform": "android", "token": f"device-{rider.id}"}
    assert (await rider.send("POST", "/push/register-device", device)).document == {"registered": True}
    await offering.delivery()
    await auto_dispatch.process_due_dispatches()
    order = await offering.delivery()
    await offering.assign(order, rider.id)
    await offering.assign(order, rider.id)
    token = {"token": device["token"]}
    assert (await rider.send("POST", "/push/unregister-device", token)).document == {"registered": False}
    await offering.assign(await offering.delivery(), rider.id)

    told = [row[:2] for row in await offering.messages()]
    assert told == [("push", "drivers.offer"), ("push", "drivers.assigned")]


async def test_what_is_no_mode_changes_no_terms(kitchen):
    for field in ("dispatch_mode", "offer_at", "pod"):
        assert list((await kitchen.terms(**{field: "x"})).errors) == [field]
    assert (await delivery_terms.get_terms(kitchen.owner.id, kitchen.id)).dispatch_mode == "pool"
