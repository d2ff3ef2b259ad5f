"""Foreign bookings take nights like sales do, and whose nights are gone are in conflict."""

import asyncio
import random
from collections import Counter
from datetime import date

import pytest
from comanda.platform.db import sql

from ...calendar_platform import Platform, event
from ...conftest import TODAY, day


@pytest.fixture
async def double(hotel):
    return await hotel.room_type(rooms=1)


@pytest.fixture
async def airbnb(hotel, double, monkeypatch):
    return await Platform(hotel, monkeypatch).connect(double["rooms"][0])


async def list_nights(calendar_id):
    rows = await sql.fetch("SELECT night FROM hotel_room_night WHERE calendar_id = $1 ORDER BY night", calendar_id)
    return [row["night"].isoformat() for row in rows]


async def test_booking_takes_its_nights(hotel, double, airbnb):
    await airbnb.publish(event("a", 2, 4))

    assert [await hotel.free(double, arrives) for arrives in range(1, 5)] == [1, "sold_out", "sold_out", 1]
    assert (await airbnb.look())["bookings_count"] == 1
    assert (await hotel.book(double, 3)).status == 409


async def test_booking_moves_with_its_uid_and_is_removed(hotel, double, airbnb):
    await airbnb.publish(event("a", 2, 4), event("b", 6, 7))
    before = [booking["id"] for booking in await airbnb.list_bookings()]

    await airbnb.publish(event("a", 3, 5))

    assert [booking["id"] for booking in await airbnb.list_bookings()] == before[:1]
    assert await list_nights(airbnb.id) == [day(3), day(4)]


async def test_night_of_a_stay_is_in_conflict_until_it_is_free(hotel, double, airbnb):
    stay = await hotel.stay(double, 3, 2, room_id=double["rooms"][0]["id"])

    await airbnb.publish(event("a", 2, 4))

    (booking,) = await airbnb.list_bookings(in_conflict="true")
    assert (booking["from"], booking["to"], booking["conflicts"]) == (day(2), day(4), [day(3)])
    assert (await hotel.look(stay))["status"] == "confirmed"
    await hotel.must_set(stay, "cancelled")
    # Nobody else gets it in the meantime.
    assert (await hotel.book(double, 3)).status == 409
    await airbnb.read()
    assert await airbnb.list_bookings(in_conflict="true") == []
    assert await list_nights(airbnb.id) == [day(2), day(3)]


async def test_stay_without_a_room_is_in_conflict_too(hotel, double, airbnb):
    await hotel.stay(double, 3, 1)

    await airbnb.publish(event("a", 3, 4))

    assert (await airbnb.look())["conflicts_count"] == 1


async def test_second_calendar_is_in_conflict_with_the_first(hotel, double, airbnb, monkeypatch):
    booking = await Platform(hotel, monkeypatch).connect(double["rooms"][0], "Booking.com")
    await airbnb.publish(event("a", 2, 4))

    await booking.publish(event("b", 3, 5))

    assert [(await each.look())["conflicts_count"] for each in (airbnb, booking)] == [0, 1]
    # One room is sold once, whoever sold it.
    await hotel.room(double, "102")
    assert await hotel.free(double, 3) == 1


async def test_eight_bookings_and_an_import_sell_the_last_room_once(hotel, double, airbnb):
    airbnb.serve(event("a", 2, 4))

    *replies, _ = await asyncio.gather(
        *(hotel.book(double, 2 + number % 2, 1, key=f"k{number}") for number in range(8)), airbnb.read()
    )

    sold = Counter(reply.status for reply in replies)[201]
    conflicts = [night for booking in await airbnb.list_bookings() for night in booking["conflicts"]]
    # Each night has one holder; what both sold is in conflict, and nothing else is.
    assert len(conflicts) == sold
    assert len(await list_nights(airbnb.id)) == 2 - sold
    assert [await hotel.free(double, arrives) for arrives in (2, 3)] == ["sold_out", "sold_out"]
    assert {reply.status for reply in replies} <= {201, 409}


OVERSOLD_NIGHTS = """
    SELECT night, count(*) FROM (
        SELECT night::date AS night FROM hotel_stay s
        CROSS JOIN LATERAL generate_series(s.check_in, s.check_out - 1, interval '1 day') AS night
        WHERE s.room_type_id = $1 AND s.status = 'confirmed'
      UNION ALL
        SELECT n.night FROM hotel_room_night n JOIN hotel_room r ON r.id = n.room_id
        WHERE r.room_type_id = $1 AND n.calendar_id IS NOT NULL) AS sold
    GROUP BY 1 HAVING count(*) > $2
"""


@pytest.mark.parametrize("seed", range(3))
async def test_bookings_cancellations_and_readings_sell_no_night_twice(hotel, monkeypatch, seed):
    dice = random.Random(seed)
    double = await hotel.room_type(rooms=3)
    platforms = [
        await Platform(hotel, monkeypatch).connect(room, f"Platform-{number}")
        for number, room in enumerate(double["rooms"][:2])
    ]
    known = [await hotel.stay(double, dice.randint(0, 6), 2) for _ in range(2)]

    async def publish(platform):
        await asyncio.sleep(dice.random() / 10)
        arrives = [dice.randint(0, 6) for _ in range(2)]
        await platform.publish(*(event(f"{first}", first, first + dice.randint(1, 3)) for first in arrives))

    async def send(number):
        await asyncio.sleep(dice.random() / 10)
        if number % 4 == 0:
            return await hotel.set(dice.choice(known), "cancelled")
        room = dice.choice([None, *double["rooms"]])
        return await hotel.book(double, dice.randint(0, 7), dice.randint(1, 3), room_id=room and room["id"])

    replies = await asyncio.gather(*map(send, range(24)), *map(publish, platforms * 4))

    assert {reply.status for reply in replies if reply is not None} <= {200, 201, 409}
    assert await sql.fetch(OVERSOLD_NIGHTS, double["id"], 3) == []
    # What is still to be held is in conflict with something.
    for platform in platforms:
        await platform.read()
    for booking in [booking for platform in platforms for booking in await platform.list_bookings()]:
        for night in booking["conflicts"]:
            offered = await hotel.free(double, (date.fromisoformat(night) - TODAY).days)
            assert offered == "sold_out" or await is_held(booking["room_id"], night)


async def is_held(room_id, night):
    held = "SELECT count(*) FROM hotel_room_night WHERE room_id = $1 AND night = $2"
    return bool(await sql.fetch_value(held, room_id, date.fromisoformat(night)))
