"""Deliveries of the calling driver: the pool, claiming, and status changes."""

import asyncio
from collections import Counter
from itertools import product

import pytest
from comanda.contracts import DeliveryStatus
from comanda.platform.db import sql

ALL = [status.value for status in DeliveryStatus]
ALLOWED = {
    ("assigned", "picked_up"), ("assigned", "out_for_delivery"), ("assigned", "delivered"), ("assigned", "failed"),
    ("picked_up", "out_for_delivery"), ("picked_up", "delivered"), ("picked_up", "failed"),
    ("out_for_delivery", "delivered"), ("out_for_delivery", "failed"),
}  # fmt: skip


async def test_one_of_fifty_concurrent_claims_wins(kitchen, announced):
    drivers = [await kitchen.add_driver(f"Driver {n}", f"+3519612345{n:02}") for n in range(50)]
    order = await kitchen.place_delivery()

    replies = await asyncio.gather(*(one.claim(order["id"]) for one in drivers))

    assert Counter(reply.status for reply in replies) == {200: 1, 409: 49}
    assert {(reply["code"], reply["reason"]) for reply in replies if reply.status == 409} == {
        ("conflict", "already_claimed")
    }
    [winner] = [one for one, reply in zip(drivers, replies, strict=True) if reply.status == 200]
    assert await winner.list_ids() == [order["id"]]
    assert await announced() == ["order.driver_assigned"]
    assert (await kitchen.get_order(order))["driver"]["id"] == winner.id


async def test_concurrent_claims_of_one_driver_assign_once(kitchen, driver, announced):
    order = await kitchen.place_delivery()

    replies = await asyncio.gather(*(driver.claim(order["id"]) for _ in range(10)))

    assert [reply.status for reply in replies] == [200] * 10
    assert await announced() == ["order.driver_assigned"]
    assert await sql.fetch_value("SELECT count(*) FROM drivers_assignment WHERE order_id = $1", order["id"]) == 1


async def test_store_driver_sees_and_claims_its_orders_only(client, owner, kitchen, driver):
    second = await type(kitchen)(client, owner, await owner.store()).set_up()
    bound = await second.add_driver("Eva", "+351961234568", restaurant_id=second.id)
    here, there = await kitchen.place_delivery(), await second.place_delivery()

    assert await driver.list_ids("/available") == [here["id"], there["id"]]
    assert await bound.list_ids("/available") == [there["id"]]
    reply = await bound.claim(here["id"])
    assert (reply.status, reply["code"]) == (404, "not_found")
    assert (await bound.claim(there["id"])).status == 200
    # The owner may still assign an order of another store to a driver of one store.
    assert (await kitchen.assign(here, bound.id)).status == 200
    assert await bound.list_ids() == [there["id"], here["id"]]


async def test_only_pending_deliveries_are_available(kitchen, driver):
    pending = await kitchen.place_delivery()
    served = await kitchen.place_delivery()
    await kitchen.set_status(served["id"], "ready")
    for status in ("cancelled", "completed"):
        over = await kitchen.place_delivery()
        await kitchen.set_status(over["id"], status)
        assert (await driver.claim(over["id"])).status == 404
    for status in ("delivered", "failed"):
        ended = await kitchen.place_delivery()
        await kitchen.override_status(ended, status)
        assert (await driver.claim(ended["id"])).status == 404
    under_way = await kitchen.place_delivery()
    await kitchen.override_status(under_way, "out_for_delivery")
    assert (await driver.claim(under_way["id"]))["reason"] == "already_claimed"
    eaten = await kitchen.place({"item_id": kitchen.pizza["id"]})
    assert (await driver.claim(eaten["id"])).status == 404

    assert await driver.list_ids("/available") == [pending["id"], served["id"]]
    shown = (await driver.get("/available"))["data"][0]
    assert (shown["customer"], shown["distance_m"]) == (None, None)


async def test_available_deliveries_are_listed_nearest_first(client, owner, kitchen, driver):
    far = await type(kitchen)(client, owner, await owner.store()).set_up()
    unknown = await type(kitchen)(client, owner, await owner.store()).set_up()
    assert (await kitchen.set_terms(lat=38.7139, lng=-9.1335)).status == 200
    assert (await far.set_terms(lat=41.1496, lng=-8.6110)).status == 200
    orders = [await store.place_delivery() for store in (unknown, far, kitchen, unknown, kitchen)]

    assert await driver.list_ids("/available") == [order["id"] for order in orders]
    assert (await driver.send_location(38.7139, -9.1435)).status == 200
    shown = (await driver.get("/available"))["data"]
    assert [each["id"] for each in shown] == [orders[place]["id"] for place in (2, 4, 1, 0, 3)]
    assert [each["distance_m"] for each in shown] == [868, 868, pytest.approx(274_000, rel=0.01), None, None]


async def test_claiming_may_require_a_shift(kitchen, driver):
    assert (await kitchen.set_terms(require_shift=True)).status == 200
    order = await kitchen.place_delivery()

    assert (await driver.claim(order["id"]))["reason"] == "off_shift"
    assert (await driver.send("POST", "/shift", {"status": "on"})).status == 200
    assert (await driver.claim(order["id"])).status == 200


async def test_deliveries_of_another_owner_look_missing(kitchen, foreign, driver, other_owner):
    theirs, stranger = await foreign.place_delivery(), await foreign.add_driver()
    taken = await foreign.place_delivery()
    await foreign.assign(taken, stranger.id)

    for order in (theirs, taken):
        for reply in (await driver.claim(order["id"]), await driver.set_status(order["id"], "delivered")):
            assert (reply.status, reply["code"]) == (404, "not_found")

    assert await driver.list_ids("/available") == []
    assert await driver.list_ids() == []
    assert [(await foreign.get_order(order))["delivery_status"] for order in (theirs, taken)] == ["pending", "assigned"]


async def test_manual_dispatch_has_no_pool(kitchen, driver, rows):
    await kitchen.set_terms(dispatch_mode="manual")
    order = await kitchen.place_delivery()
    before = await rows()

    assert await driver.list_ids("/available") == []
    assert (await driver.claim(order["id"])).status == 404
    assert await rows() == before
    assert (await kitchen.assign(order, driver.id)).status == 200


@pytest.mark.parametrize(("now", "to"), [*product(ALL[1:], ALL)], ids="-".join)
async def test_driver_moves_a_delivery_forwards_only(kitchen, driver, rows, announced, status_events, now, to):
    order = await kitchen.place_assigned(driver)
    await kitchen.override_status(order, now)
    before, said = await rows(), await announced()

    reply = await driver.set_status(order["id"], to)

    if now == to:
        assert (reply.status, reply["delivery_status"]) == (200, now)
        assert await rows() == before
    elif (now, to) in ALLOWED:
        assert (reply.status, reply["delivery_status"]) == (200, to)
        assert f"{to}_at" in reply["timeline"]
        assert await announced() == [*said, *([status_events[to]] if to in status_events else [])]
    else:
        assert list(reply.errors) == ["delivery_status"]
        assert await rows() == before


async def test_age_restricted_order_needs_an_id_check(kitchen, driver):
    order = await kitchen.place_assigned(driver)
    path = f"/deliveries/{order['id']}/status"
    assert [each["requires_id_check"] for each in (await driver.get("/deliveries"))["data"]] == [False]
    # What the pharmacy's orders keep of a confirmed age.
    await sql.execute("UPDATE core_order SET attributes = '{\"age_confirmed\": true}' WHERE id = $1", order["id"])
    assert [each["requires_id_check"] for each in (await driver.get("/deliveries"))["data"]] == [True]

    refused = await driver.send("PUT", path, {"delivery_status": "delivered"})
    done = await driver.send("PUT", path, {"delivery_status": "delivered", "id_checked": True})

    assert (refused.status, refused["reason"], list(refused.errors)) == (422, "id_check_required", ["id_checked"])
    assert (done.status, done["delivery_status"]) == (200, "delivered")
    assert await sql.fetch_value("SELECT kind FROM drivers_proof WHERE order_id = $1", order["id"]) == "id"


async def test_a_note_on_the_same_status_is_kept_once(kitchen, driver):
    order = await kitchen.place_assigned(driver)
    for note in ("Road closed", "Road closed"):
        assert (await driver.set_status(order["id"], "assigned", note=note)).status == 200
    await kitchen.override_status(order, "assigned", note="Told the guest")
    await kitchen.assign(order, driver.id, note="Take the bridge")

    changes = (await kitchen.get(f"/orders/{order['id']}/history"))["data"]
    assert [(each["from"], each["to"], each["note"]) for each in changes[:4]] == [
        ("assigned", "assigned", "Take the bridge"), ("assigned", "assigned", "Told the guest"),
        ("assigned", "assigned", "Road closed"), ("pending", "assigned", None),
    ]  # fmt: skip
