"""Concurrent assignments: no room is taken twice on one night."""

import asyncio
from collections import Counter

import asyncpg
import pytest
from comanda.platform.db import sql


async def test_concurrent_assignments_of_a_room_have_one_winner(hotel):
    double = await hotel.room_type(rooms=10)
    stays = [await hotel.stay(double, number % 2, 2) for number in range(10)]
    room = double["rooms"][0]

    replies = await asyncio.gather(*(hotel.give(stay, room) for stay in stays))

    assert Counter(reply.status for reply in replies) == {200: 1, 409: 9}
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"room_taken"}


async def test_concurrent_check_ins_get_different_rooms(hotel):
    double = await hotel.room_type(rooms=10)
    stays = [await hotel.stay(double) for _ in range(10)]

    replies = await asyncio.gather(*(hotel.set(stay, "checked_in") for stay in stays))

    assert {reply.status for reply in replies} == {200}
    assert len({reply["room_id"] for reply in replies}) == 10


async def test_database_refuses_double_assignment(hotel, owner):
    double = await hotel.room_type(rooms=2)
    room, other = double["rooms"]
    await hotel.must_set(await hotel.stay(double, 0, 2, room_id=room["id"]), "checked_in")
    stay = await hotel.must_set(await hotel.stay(double, 0, 2, room_id=other["id"]), "checked_in")

    with pytest.raises(asyncpg.UniqueViolationError, match="hotel_room_night_once"):
        await sql.execute("UPDATE hotel_room_night SET room_id = $1 WHERE stay_id = $2", room["id"], stay["id"])
    with pytest.raises(asyncpg.UniqueViolationError, match="hotel_stay_in_house"):
        await sql.execute("UPDATE hotel_stay SET room_id = $1 WHERE id = $2", room["id"], stay["id"])
