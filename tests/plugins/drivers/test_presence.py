"""Where drivers are, who sees it, and whether they are on shift."""

import asyncio
from datetime import timedelta

import pytest
from comanda.contracts.erasure import Person
from comanda.db import sql
from comanda_drivers import tasks
from comanda_drivers.erasing import ERASER


async def trail(rider):
    rows = await sql.fetch("SELECT lat, lng FROM drivers_trail WHERE driver_id = $1 ORDER BY recorded_at", rider.id)
    return [(row["lat"], row["lng"]) for row in rows]


async def position(rider):
    row = await sql.fetch_one("SELECT lat, lng, located_at FROM drivers_driver WHERE id = $1", rider.id)
    return row["lat"], row["lng"], row["located_at"]


async def test_the_last_point_is_kept_always_and_the_way_while_there_is_something_to_deliver(kitchen, rider, clock):
    assert (await rider.at(38.71, -9.13)).document == {"ok": True}
    assert (await position(rider), await trail(rider)) == ((38.71, -9.13, clock()), [])

    order = await kitchen.assigned(rider)
    for step in (1, 2):
        clock.advance(seconds=1)
        await rider.at(38.71 + step, -9.13, accuracy=5, heading=360, speed=8.5)
    assert await trail(rider) == [(39.71, -9.13), (40.71, -9.13)]

    await rider.set(order["id"], "delivered")
    clock.advance(seconds=1)
    await rider.at(1, 2)
    assert (await position(rider), len(await trail(rider))) == ((1, 2, clock()), 2)


async def test_older_points_and_a_second_one_in_a_second_are_ignored(kitchen, rider, clock):
    await kitchen.assigned(rider)
    now = clock()
    await rider.at(1, 1, recorded_at=now.isoformat())

    for moment in (now - timedelta(seconds=30), now, now + timedelta(milliseconds=999)):
        clock.set(max(clock(), moment))
        assert (await rider.at(2, 2, recorded_at=moment.isoformat())).document == {"ok": True}
        assert (await position(rider), await trail(rider)) == ((1, 1, now), [(1, 1)])
    clock.set(now + timedelta(seconds=1))
    await rider.at(3, 3)
    assert await trail(rider) == [(1, 1), (3, 3)]


async def test_a_phone_whose_clock_is_ahead_does_not_silence_itself(rider, clock):
    now = clock()
    await rider.at(1, 1, recorded_at=(now + timedelta(days=400)).isoformat())
    assert await position(rider) == (1, 1, now)
    clock.advance(seconds=1)
    await rider.at(2, 2)
    assert (await position(rider))[:2] == (2, 2)


async def test_of_points_sent_at_once_one_counts(kitchen, rider, clock):
    await kitchen.assigned(rider)

    replies = await asyncio.gather(*(rider.at(n, n) for n in range(20)))

    assert {reply.status for reply in replies} == {200}
    assert len(await trail(rider)) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"lat": 90.1, "lng": 0}, "lat"),
        ({"lat": 0, "lng": -180.1}, "lng"),
        ({"lng": 0}, "lat"),
        ({"lat": None, "lng": 0}, "lat"),
        ({"lat": True, "lng": 0}, "lat"),
        ({"lat": "north", "lng": 0}, "lat"),
        ({"lat": 0, "lng": 0, "heading": 361}, "heading"),
        ({"lat": 0, "lng": 0, "speed": -1}, "speed"),
        ({"lat": 0, "lng": 0, "accuracy": -1}, "accuracy"),
        ({"lat": 0, "lng": 0, "recorded_at": "now"}, "recorded_at"),
        ({"lat": 0, "lng": 0, "recorded_at": "0001-01-01T00:00:00+14:00"}, "recorded_at"),
    ],
)
async def test_what_is_no_point_is_refused(rider, body, field):
    assert list((await rider.send("PUT", "/location", body)).errors) == [field]
    assert await position(rider) == (None, None, None)


async def test_a_point_of_the_first_year_is_a_point(rider):
    assert (await rider.at(0, 0, recorded_at="0001-01-01T00:00:00+00:00")).status == 200
    assert (await rider.at(1, 1)).status == 200
    assert (await position(rider))[:2] == (1, 1)


async def test_customers_see_who_brings_their_order_while_it_is_on_its_way(client, kitchen, rider, clock):
    order = await kitchen.delivery()
    path = f"/api/v1/track/{order['track_token']}"

    async def tracked():
        return (await (await client.get(path)).get_json()).get("driver", "absent")

    assert await tracked() == "absent"
    await rider.claim(order["id"])
    await rider.at(38.71, -9.13)
    assert await tracked() == "absent"
    for status in ("picked_up", "out_for_delivery"):
        await rider.set(order["id"], status)
        assert await tracked() == {
            "name": "Rui", "lat": 38.71, "lng": -9.13, "location_updated_at": clock().isoformat(),
        }  # fmt: skip
    await rider.set(order["id"], "delivered")
    assert await tracked() == "absent"
    # On its way, but brought by nobody who is known.
    bare = await kitchen.delivery()
    await kitchen.override(bare, "out_for_delivery")
    path = f"/api/v1/track/{bare['track_token']}"
    assert await tracked() == "absent"


async def test_an_orders_driver_is_null_until_there_is_one(kitchen, rider):
    order = await kitchen.delivery()
    assert order["driver"] is None
    assert (await kitchen.shown(order))["driver"] is None
    await kitchen.assign(order, rider.id)
    assert (await kitchen.shown(order))["driver"] == {"id": rider.id, "name": "Rui Costa", "phone": rider.phone}


async def test_a_shift_is_begun_ended_and_turned(rider, clock):
    began = clock()
    for body, status in (({}, "on"), ({"status": "on"}, "on"), ({}, "off"), ({"status": "off"}, "off"), (None, "on")):
        reply = await rider.send("POST", "/shift", body)
        assert (reply.status, reply["status"], reply["is_on_shift"]) == (200, status, status == "on")
        assert reply["changed_at"] == began.isoformat()
        if body == {"status": status}:
            # The same again has changed nothing, so the next one is at another time.
            clock.advance(minutes=1)
            began = clock()
    assert (await rider.get("/me"))["is_on_shift"] is True
    assert list((await rider.send("POST", "/shift", {"status": "maybe"})).errors) == ["status"]


async def test_a_shift_ends_after_the_last_delivery_unless_forced(kitchen, rider):
    await rider.send("POST", "/shift", {"status": "on"})
    order = await kitchen.assigned(rider)

    for body in ({"status": "off"}, {}):
        reply = await rider.send("POST", "/shift", body)
        assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "active_deliveries")
    assert (await rider.get("/me"))["is_on_shift"] is True
    assert (await rider.send("POST", "/shift", {"status": "off", "force": True}))["status"] == "off"
    await rider.send("POST", "/shift", {"status": "on"})
    await rider.set(order["id"], "failed")
    assert (await rider.send("POST", "/shift", {"status": "off"}))["status"] == "off"


async def test_where_drivers_were_is_forgotten_after_thirty_days(kitchen, rider, clock):
    await kitchen.assigned(rider)
    await rider.at(1, 1)
    clock.advance(days=30)
    await rider.at(2, 2)
    await tasks.prune()
    assert await trail(rider) == [(1, 1), (2, 2)]
    clock.advance(seconds=1)
    await tasks.prune()
    assert await trail(rider) == [(2, 2)]


async def test_of_a_driver_who_is_deleted_no_place_is_kept(kitchen, rider):
    order = await kitchen.assigned(rider)
    await rider.at(1, 1)
    await rider.set(order["id"], "delivered")

    assert (await kitchen.send_to(f"/api/v1/drivers/{rider.id}", "DELETE")).status == 204

    assert (await position(rider), await trail(rider)) == ((None, None, None), [])


async def test_where_an_erased_person_lives_is_forgotten(kitchen):
    place = {"address_lat": 38.7, "address_lng": -9.1, "address_instructions": "The blue door"}
    theirs, others = await kitchen.delivery(**place), await kitchen.delivery(**place)
    both = frozenset({theirs["id"], others["id"]})

    await ERASER.erase(Person(kitchen.owner.id, kitchen.id, 1, frozenset(), frozenset(), frozenset({theirs["id"]})))
    await ERASER.erase(Person(kitchen.owner.id + 1, kitchen.id, 1, frozenset(), frozenset(), both))

    assert not place.keys() & (await kitchen.shown(theirs)).keys()
    shown = await kitchen.shown(others)
    assert {name: shown[name] for name in place} == place
