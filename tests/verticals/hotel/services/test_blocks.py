"""Blocks of rooms."""

import pytest
from comanda.platform.db import sql

from ..conftest import day


async def test_block_takes_nights_until_deleted(hotel):
    double = await hotel.room_type(rooms=1)
    path = f"/rooms/{double['rooms'][0]['id']}/blocks"

    made = await hotel.made(path, {"from": day(2), "to": day(4), "reason": "Painting"})

    assert made == {**made, "from": day(2), "to": day(4), "reason": "Painting", "room_id": double["rooms"][0]["id"]}
    assert (await hotel.get(path))["data"] == [made]
    assert [await hotel.free(double, offset) for offset in (1, 2, 3, 4)] == [1, "out_of_order", "out_of_order", 1]
    assert (await hotel.send("DELETE", f"{path}/{made['id']}")).status == 204
    assert await hotel.free(double, 1, 4) == 1
    assert (await hotel.send("DELETE", f"{path}/{made['id']}")).status == 404


async def test_taken_night_cannot_be_blocked(hotel, owner):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]
    await hotel.stay(double, 2, 2, room_id=room["id"])
    path = f"/rooms/{room['id']}/blocks"

    taken = await hotel.send("POST", path, {"from": day(1), "to": day(3)})
    assert (taken.status, taken["reason"]) == (409, "room_taken")
    await hotel.made(path, {"from": day(4), "to": day(6)})
    assert (await hotel.send("POST", path, {"from": day(5), "to": day(7)})).status == 409

    assert await sql.fetch_value("SELECT count(*) FROM hotel_room_block WHERE owner_id = $1", owner.id) == 1
    assert (await hotel.book(double, 3, 2, room_id=room["id"]))["reason"] == "room_taken"


@pytest.mark.parametrize(
    ("since", "until", "field"), [(0, 0, "to"), (2, 1, "to"), (-1, 1, "from"), (0, 367, "to"), (731, 732, "from")]
)
async def test_invalid_block_is_refused(hotel, since, until, field):
    double = await hotel.room_type(rooms=1)

    reply = await hotel.send(
        "POST", f"/rooms/{double['rooms'][0]['id']}/blocks", {"from": day(since), "to": day(until)}
    )

    assert list(reply.errors) == [field]
