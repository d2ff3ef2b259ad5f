"""The occupancy of rooms, night by night."""

import pytest

from ..conftest import TestHotel, day


@pytest.fixture
def occupancy(hotel):
    """Return a function that lists what takes the nights of each room, by the number of the room."""

    async def load(query=""):
        reply = await hotel.send("GET", f"/occupancy?{query}")
        assert reply.status == 200, reply
        return {
            room["number"]: [
                (each["from"], each["to"], each["guest_name"] or each["reason"], each["status"])
                for each in room["nights"]
            ]
            for room in reply["data"]
        }

    return load


async def test_stays_and_blocks_take_nights_of_rooms(hotel, occupancy):
    double = await hotel.room_type(rooms=2)
    one, two = double["rooms"]
    stay = await hotel.stay(double, 1, 3, room_id=one["id"])
    await hotel.stay(double, 5, 1, room_id=one["id"], guest_name="Bo Lind", status="optional")
    await hotel.stay(double, 2, 2, guest_name="Without a room")
    block = await hotel.made(f"/rooms/{two['id']}/blocks", {"from": day(2), "to": day(4), "reason": "Painting"})

    assert await occupancy() == {
        "101": [(day(1), day(4), "Ada Costa", "confirmed"), (day(5), day(6), "Bo Lind", "optional")],
        "102": [(day(2), day(4), "Painting", None)],
    }
    first = (await hotel.get("/occupancy?per_page=1"))["data"][0]
    assert (first["id"], first["room_type"], first["nights"][0]["stay_id"]) == (one["id"], "Double", stay["id"])
    second = (await hotel.get("/occupancy?per_page=1&page=2"))["data"][0]
    assert second["nights"][0]["block_id"] == block["id"]


async def test_guests_who_move_take_nights_of_several_rooms(hotel, occupancy, next_day):
    double = await hotel.room_type(rooms=2)
    one, two = double["rooms"]
    stay = await hotel.must_set(await hotel.stay(double, 0, 4, room_id=one["id"]), "checked_in")
    next_day()
    await hotel.give(stay, two)
    next_day()
    await hotel.give(stay, one)

    assert await occupancy(f"from={day(0)}&to={day(9)}") == {
        "101": [(day(0), day(1), "Ada Costa", "checked_in"), (day(2), day(4), "Ada Costa", "checked_in")],
        "102": [(day(1), day(2), "Ada Costa", "checked_in")],
    }


async def test_nights_are_cut_at_the_days_asked_for(hotel, occupancy):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 1, 5, room_id=double["rooms"][0]["id"])

    assert await occupancy(f"from={day(2)}&to={day(4)}") == {"101": [(day(2), day(4), "Ada Costa", "confirmed")]}
    assert await occupancy(f"from={day(6)}") == {"101": []}
    assert await occupancy(f"room_type={double['id']}") != {}
    assert await occupancy(f"room_type={double['id'] + 1}") == {}


async def test_cancelled_stays_take_no_nights(hotel, occupancy):
    double = await hotel.room_type(rooms=1)
    await hotel.must_set(await hotel.stay(double, 0, 2, room_id=double["rooms"][0]["id"]), "cancelled")

    assert await occupancy() == {"101": []}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (f"from={day(3)}&to={day(3)}", "to"),
        (f"from={day(0)}&to={day(93)}", "to"),
        ("from=9999-12-31", "from"),
        ("from=soon", "from"),
        ("room_type=x", "room_type"),
    ],
)
async def test_wrong_days_are_refused(hotel, query, field):
    reply = await hotel.send("GET", f"/occupancy?{query}")

    assert reply.status == 422
    assert list(reply["errors"]) == [field]


async def test_other_stores_have_no_occupancy(hotel, owner, other_owner):
    shop = TestHotel(hotel.client, owner, await owner.store("restaurant"))
    stranger = TestHotel(hotel.client, other_owner, hotel.id)

    assert (await shop.send("GET", "/occupancy")).status == 404
    assert (await stranger.send("GET", "/occupancy")).status == 404
