"""The pool: what is free, who gets it, and who does not."""

import asyncio
from collections import Counter

import pytest
from comanda.db import sql


async def test_fifty_drivers_claim_one_order_and_one_has_it(kitchen, announced):
    riders = [await kitchen.rider(f"Driver {n}", f"+3519612345{n:02}") for n in range(50)]
    order = await kitchen.delivery()

    replies = await asyncio.gather(*(one.claim(order["id"]) for one in riders))

    assert Counter(reply.status for reply in replies) == {200: 1, 409: 49}
    assert {(reply["code"], reply["reason"]) for reply in replies if reply.status == 409} == {
        ("conflict", "already_claimed")
    }
    [winner] = [one for one, reply in zip(riders, replies, strict=True) if reply.status == 200]
    assert await winner.ids() == [order["id"]]
    assert await announced() == ["order.driver_assigned"]
    assert (await kitchen.shown(order))["driver"]["id"] == winner.id


async def test_a_driver_who_claims_many_times_at_once_has_it_once(kitchen, rider, announced):
    order = await kitchen.delivery()

    replies = await asyncio.gather(*(rider.claim(order["id"]) for _ in range(10)))

    assert [reply.status for reply in replies] == [200] * 10
    assert await announced() == ["order.driver_assigned"]
    assert await sql.fetch_value("SELECT count(*) FROM drivers_assignment WHERE order_id = $1", order["id"]) == 1


async def test_nobody_gets_more_than_they_may_carry_even_all_at_once(kitchen, rider):
    assert (await kitchen.terms(max_active_deliveries=3)).status == 200
    orders = [await kitchen.delivery() for _ in range(8)]

    replies = await asyncio.gather(*(rider.claim(order["id"]) for order in orders))

    assert Counter(reply.status for reply in replies) == {200: 3, 409: 5}
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"too_many_active"}
    # What is brought, or cancelled, makes room.
    mine = await rider.ids()
    free = await rider.ids("/available")
    assert (await rider.set(mine[0], "delivered")).status == 200
    assert (await kitchen.set_status(mine[1], "cancelled")).status == 200
    assert [(await rider.claim(order_id)).status for order_id in free[:3]] == [200, 200, 409]


async def test_claiming_assigns_and_tells_what_to_carry(kitchen, rider, published):
    await kitchen.send("PUT", "/settings", {"address": "Rua Augusta 1", "phone": "+351210000000"})
    order = await kitchen.delivery(2, tip_amount=1, note="Ring twice", address_instructions="Third floor")

    reply = await rider.claim(order["id"])

    assert reply.status == 200
    document = reply.document
    assert document["id"] == document["order_id"] == order["id"]
    assert document["delivery_status"] == "assigned"
    assert document["pickup"] == {
        "name": document["pickup"]["name"], "address": "Rua Augusta 1", "phone": "+351210000000", "lat": None,
        "lng": None,
    }  # fmt: skip
    assert document["dropoff"] == {
        "address": "Rua da Prata 8", "lat": None, "lng": None, "instructions": "Third floor",
    }  # fmt: skip
    assert document["customer"] == {"name": "Ada", "phone": "+351912345678"}
    assert document["items"] == [{"name": "Pizza", "quantity": 2, "variation": None, "extras": [], "note": None}]
    assert (document["total"], document["tip_amount"], document["amount_to_collect"]) == (21, 1, 21)
    assert (document["note"], document["is_paid"]) == ("Ring twice", False)
    assert set(document["timeline"]) == {"created_at", "assigned_at"}
    assert (await published())[-1] == (
        "order.driver_assigned",
        {
            "order_id": order["id"],
            "restaurant_id": kitchen.id,
            "driver": {"id": rider.id, "name": "Rui Costa", "phone": "+351961234567"},
            "delivery_status": "assigned",
        },
    )


async def test_what_is_paid_in_part_is_collected_in_part_and_what_is_paid_not_at_all(kitchen, rider):
    order = await kitchen.assigned(rider)
    paid = {"method": "cash", "amount": 4}
    assert (await kitchen.send("POST", f"/orders/{order['id']}/payments", paid)).status == 201

    assert (await rider.get("/deliveries"))["data"][0]["amount_to_collect"] == 6
    paid = {"method": "cash", "amount": 6}
    assert (await kitchen.send("POST", f"/orders/{order['id']}/payments", paid)).status == 201
    [shown] = (await rider.get("/deliveries"))["data"]
    assert (shown["amount_to_collect"], shown["is_paid"]) == (0, True)


async def test_a_driver_of_one_store_sees_and_claims_its_orders_only(client, owner, kitchen, rider):
    second = await type(kitchen)(client, owner, await owner.store()).set_up()
    bound = await second.rider("Eva", "+351961234568", restaurant_id=second.id)
    here, there = await kitchen.delivery(), await second.delivery()

    assert await rider.ids("/available") == [here["id"], there["id"]]
    assert await bound.ids("/available") == [there["id"]]
    reply = await bound.claim(here["id"])
    assert (reply.status, reply["code"]) == (404, "not_found")
    assert (await bound.claim(there["id"])).status == 200
    # Whoever belongs to a store may still be sent by the owner to fetch from another.
    assert (await kitchen.assign(here, bound.id)).status == 200
    assert await bound.ids() == [there["id"], here["id"]]


async def test_only_pending_deliveries_are_free(kitchen, rider):
    pending = await kitchen.delivery()
    served = await kitchen.delivery()
    await kitchen.set_status(served["id"], "ready")
    for status in ("cancelled", "completed"):
        over = await kitchen.delivery()
        await kitchen.set_status(over["id"], status)
        assert (await rider.claim(over["id"])).status == 404
    for status in ("delivered", "failed"):
        ended = await kitchen.delivery()
        await kitchen.override(ended, status)
        assert (await rider.claim(ended["id"])).status == 404
    under_way = await kitchen.delivery()
    await kitchen.override(under_way, "out_for_delivery")
    assert (await rider.claim(under_way["id"]))["reason"] == "already_claimed"
    eaten = await kitchen.place({"item_id": kitchen.pizza["id"]})
    assert (await rider.claim(eaten["id"])).status == 404

    assert await rider.ids("/available") == [pending["id"], served["id"]]
    shown = (await rider.get("/available"))["data"][0]
    assert (shown["customer"], shown["distance_m"]) == (None, None)


async def test_the_nearest_come_first_and_those_of_unknown_distance_last(client, owner, kitchen, rider):
    far = await type(kitchen)(client, owner, await owner.store()).set_up()
    unknown = await type(kitchen)(client, owner, await owner.store()).set_up()
    assert (await kitchen.terms(lat=38.7139, lng=-9.1335)).status == 200
    assert (await far.terms(lat=41.1496, lng=-8.6110)).status == 200
    orders = [await store.delivery() for store in (unknown, far, kitchen, unknown, kitchen)]

    assert await rider.ids("/available") == [order["id"] for order in orders]
    assert (await rider.at(38.7139, -9.1435)).status == 200
    shown = (await rider.get("/available"))["data"]
    assert [each["id"] for each in shown] == [orders[place]["id"] for place in (2, 4, 1, 0, 3)]
    assert [each["distance_m"] for each in shown] == [868, 868, pytest.approx(274_000, rel=0.01), None, None]


async def test_a_store_may_ask_for_a_shift(kitchen, rider):
    assert (await kitchen.terms(require_shift=True)).status == 200
    order = await kitchen.delivery()

    assert (await rider.claim(order["id"]))["reason"] == "off_shift"
    assert (await rider.send("POST", "/shift", {"status": "on"})).status == 200
    assert (await rider.claim(order["id"])).status == 200


async def test_another_owners_deliveries_are_not_there(kitchen, foreign, rider, other_owner):
    theirs, stranger = await foreign.delivery(), await foreign.rider()
    taken = await foreign.delivery()
    await foreign.assign(taken, stranger.id)

    for order in (theirs, taken):
        for reply in (await rider.claim(order["id"]), await rider.set(order["id"], "delivered")):
            assert (reply.status, reply["code"]) == (404, "not_found")

    assert await rider.ids("/available") == []
    assert await rider.ids() == []
    assert [(await foreign.shown(order))["delivery_status"] for order in (theirs, taken)] == ["pending", "assigned"]
