"""What other platforms read: a night is shown as free only if a room is left to sell."""

import re

import pytest

from ...calendar_platform import Platform, event
from ...conftest import day

EVENT = re.compile(r"UID:(\S+)\r\n.*?DTSTART;VALUE=DATE:(\d+)\r\nDTEND;VALUE=DATE:(\d+)", re.DOTALL)


@pytest.fixture
def read(hotel):
    """Return a function that reads a calendar as its platform does, and returns UIDs and nights relative to today."""
    days = {day(offset).replace("-", ""): offset for offset in range(-400, 800)}

    async def read_calendar(address, headers=None):
        response = await hotel.client.get(address.removeprefix("http://comanda.test"), headers=headers)
        assert response.status_code == 200
        text = await response.get_data(as_text=True)
        return {(days[start], days[end]): uid for uid, start, end in EVENT.findall(text)}

    return read_calendar


@pytest.fixture
def connect(hotel):
    async def create_calendar(room, name="Airbnb"):
        return (await hotel.made(f"/rooms/{room['id']}/calendars", {"name": name}))["address"]

    return create_calendar


async def test_stays_and_blocks_of_a_room_are_listed(hotel, read, connect):
    room = (await hotel.room_type(rooms=2))["rooms"][0]
    await hotel.stay({"id": room["room_type_id"]}, 1, 2, room_id=room["id"], guest_name="Ada Costa")
    await hotel.stay({"id": room["room_type_id"]}, 3, 1, room_id=room["id"])
    await hotel.made(f"/rooms/{room['id']}/blocks", {"from": day(8), "to": day(9), "reason": "Painting"})
    address = await connect(room)

    found = await read(address)

    assert sorted(found) == [(1, 3), (3, 4), (8, 9)]
    assert all(uid.startswith(f"room{room['id']}-") and uid.endswith("@comanda.test") for uid in found.values())
    text = await (await hotel.client.get(address.removeprefix("http://comanda.test"))).get_data(as_text=True)
    assert "Ada" not in text
    assert "Painting" not in text


async def test_uid_stays_while_the_stay_does(hotel, read, connect, clock):
    room = (await hotel.room_type(rooms=1))["rooms"][0]
    stay = await hotel.stay({"id": room["room_type_id"]}, 0, 5, room_id=room["id"])
    address = await connect(room)
    before = await read(address)

    clock.advance(days=2)
    await hotel.stay({"id": room["room_type_id"]}, 5, 1, room_id=room["id"])
    assert (await read(address))[(0, 5)] == before[(0, 5)]
    await hotel.change(stay, check_out=day(4))
    assert (await read(address))[(0, 4)] == before[(0, 5)]
    clock.advance(days=10)
    assert await read(address) == {}


async def test_stays_without_a_room_take_the_last_ones(hotel, read, connect):
    double = await hotel.room_type(rooms=3)
    addresses = [await connect(room) for room in double["rooms"]]
    await hotel.stay(double, 1, 2)
    await hotel.stay(double, 2, 2, room_id=double["rooms"][0]["id"])

    # One of two rooms that nothing has is free on the second night.
    assert [sorted(await read(address)) for address in addresses] == [[(2, 4)], [], [(1, 3)]]


async def test_rooms_beyond_the_number_are_not_offered(hotel, read, connect):
    double = await hotel.room_type(rooms=1, overbooking_allowance=1)
    address = await connect(double["rooms"][0])

    await hotel.stay(double, 1, 1)

    assert sorted(await read(address)) == [(1, 2)]
    assert await hotel.free(double, 1) == 1


async def test_room_out_of_order_is_closed(hotel, read, connect):
    room = (await hotel.room_type(rooms=1))["rooms"][0]
    address = await connect(room)

    await hotel.clean(room, "out_of_order")

    assert list(await read(address)) == [(0, 730)]


async def test_platform_reads_what_others_sold_but_not_its_own(hotel, read, monkeypatch):
    room = (await hotel.room_type(rooms=1))["rooms"][0]
    airbnb = await Platform(hotel, monkeypatch).connect(room)
    booking = await Platform(hotel, monkeypatch).connect(room, "Booking.com")

    await airbnb.publish(event("a", 2, 4))

    assert [sorted(await read((await each.look())["address"])) for each in (airbnb, booking)] == [[], [(2, 4)]]


async def test_own_calendar_that_comes_back_is_ignored(hotel, read, monkeypatch):
    room, other = (await hotel.room_type(rooms=2))["rooms"]
    await hotel.stay({"id": room["room_type_id"]}, 1, 2, room_id=room["id"])
    echo = await Platform(hotel, monkeypatch).connect(room, "Echo")
    house = await Platform(hotel, monkeypatch).connect(other, "House")
    address = (await echo.look())["address"].removeprefix("http://comanda.test")
    exported = await (await hotel.client.get(address)).get_data()

    for platform in (echo, house):
        platform.serve_bytes(exported)
        await platform.read()

    assert (await echo.look())["read_at"] is not None
    assert await echo.list_bookings() == []
    # Of another room it counts: rooms that are let together can be connected.
    assert [(each["from"], each["to"]) for each in await house.list_bookings()] == [(day(1), day(3))]
