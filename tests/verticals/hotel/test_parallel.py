"""Many at once, on many connections: the last room, one room, one key, and a storm of everything."""

import asyncio
import random
from collections import Counter

import asyncpg
import pytest
from comanda.db import sql
from comanda_hotel.services import holds

from .conftest import day

DOUBLY_SOLD = """
    SELECT night, count(*) FROM hotel_stay s
    CROSS JOIN LATERAL generate_series(s.check_in, s.check_out - 1, interval '1 day') AS night
    WHERE s.store_id = $1 AND s.room_type_id = $2 AND s.status IN ('optional', 'confirmed', 'checked_in')
    GROUP BY 1 HAVING count(*) > $3
"""


async def test_twenty_bookings_of_the_last_room_make_one_stay(hotel, published):
    double = await hotel.room_type(rooms=1)

    replies = await asyncio.gather(*(hotel.book(double, dice % 3, 3, key=f"k{dice}") for dice in range(20)))

    assert Counter(reply.status for reply in replies) == {201: 1, 409: 19}
    assert {(reply["code"], reply["reason"]) for reply in replies if reply.status == 409} == {("conflict", "sold_out")}
    assert (await hotel.get("/stays"))["total"] == 1
    assert (await hotel.get("/reservations"))["total"] == 1
    assert len(await published()) == 1


async def test_twenty_repeats_of_one_key_book_one_stay(hotel, published):
    double = await hotel.room_type(rooms=1)

    replies = await asyncio.gather(*(hotel.book(double, key="k") for _ in range(20)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len(await published()) == 1


async def test_one_key_in_two_room_types_at_once_books_one_stay(hotel):
    types = [await hotel.room_type(f"Type {number}", 3, first=100 * number) for number in range(1, 5)]

    replies = await asyncio.gather(*(hotel.book(of, key="k") for of in types * 4))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert (await hotel.get("/stays"))["total"] == 1


async def test_one_room_is_given_to_one_stay(hotel):
    double = await hotel.room_type(rooms=10)
    stays = [await hotel.stay(double, number % 2, 2) for number in range(10)]
    room = double["rooms"][0]

    replies = await asyncio.gather(*(hotel.give(stay, room) for stay in stays))

    assert Counter(reply.status for reply in replies) == {200: 1, 409: 9}
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"room_taken"}


async def test_guests_who_arrive_together_get_rooms_of_their_own(hotel):
    double = await hotel.room_type(rooms=10)
    stays = [await hotel.stay(double) for _ in range(10)]

    replies = await asyncio.gather(*(hotel.set(stay, "checked_in") for stay in stays))

    assert {reply.status for reply in replies} == {200}
    assert len({reply["room_id"] for reply in replies}) == 10


async def test_the_database_itself_refuses_one_room_twice_on_one_night_and_two_parties_in_it(hotel, owner):
    double = await hotel.room_type(rooms=2)
    room, other = double["rooms"]
    await hotel.must_set(await hotel.stay(double, 0, 2, room_id=room["id"]), "checked_in")
    stay = await hotel.must_set(await hotel.stay(double, 0, 2, room_id=other["id"]), "checked_in")

    with pytest.raises(asyncpg.UniqueViolationError, match="hotel_room_night_once"):
        await sql.execute("UPDATE hotel_room_night SET room_id = $1 WHERE stay_id = $2", room["id"], stay["id"])
    with pytest.raises(asyncpg.UniqueViolationError, match="hotel_stay_in_house"):
        await sql.execute("UPDATE hotel_stay SET room_id = $1 WHERE id = $2", room["id"], stay["id"])


async def test_a_booking_and_a_room_that_goes_out_of_use_do_not_cross(hotel):
    for number in range(5):
        double = await hotel.room_type(rooms=1, first=1000 + number)
        room = double["rooms"][0]

        booked, closed = await asyncio.gather(
            hotel.book(double, room_id=room["id"]), hotel.send("PUT", f"/rooms/{room['id']}", {"is_active": False})
        )

        assert sorted([booked.status, closed.status]) in ([200, 409], [201, 409])


async def test_a_storm_at_the_desk_ends_without_a_deadlock_and_nothing_sold_twice(hotel, clock):
    """Two of anything waiting for each other would answer 503 here, as any error of the database does."""
    dice = random.Random(7)
    double, suite = await hotel.room_type(rooms=4), await hotel.room_type("Suite", 2, first=201)
    types, rooms = [double, suite], [*double["rooms"], *suite["rooms"]]
    soup = await hotel.item("Soup", 5)
    known = [await hotel.stay(dice.choice(types), 2 * number, 2) for number in range(5)]
    known += [await hotel.must_set(await hotel.stay(double), "checked_in") for _ in range(2)]

    def stay():
        return dice.choice(known)

    acts = {
        "book": lambda: hotel.book(dice.choice(types), dice.randint(0, 9), dice.randint(1, 4)),
        "hold": lambda: hotel.book(dice.choice(types), dice.randint(0, 9), dice.randint(1, 4), status="optional"),
        "give": lambda: hotel.give(stay(), dice.choice([*rooms, None])),
        "status": lambda: hotel.set(stay(), dice.choice(["confirmed", "checked_in", "checked_out", "cancelled"])),
        "dates": lambda: hotel.change(stay(), check_out=day(dice.randint(1, 12))),
        "type": lambda: hotel.change(stay(), room_type_id=dice.choice(types)["id"]),
        "room": lambda: hotel.send("PUT", f"/rooms/{dice.choice(rooms)['id']}",
                                   {"room_type_id": dice.choice(types)["id"]}),
        "clean": lambda: hotel.clean(dice.choice(rooms), dice.choice(["clean", "dirty", "out_of_order"])),
        "block": lambda: hotel.send("POST", f"/rooms/{dice.choice(rooms)['id']}/blocks",
                                    {"from": day(dice.randint(0, 9)), "to": day(10)}),
        "rates": lambda: hotel.send("PUT", f"/room-types/{dice.choice(types)['id']}/rates",
                                    {"weekdays": {"friday": dice.randint(1, 99)}}),
        "look": lambda: hotel.send("GET", f"/availability?check_out={day(9)}"),
        "order": lambda: hotel.place({"item_id": soup["id"]}, type="room_service",
                                     room_number=dice.choice(rooms)["number"]),
    }  # fmt: skip
    chosen = [name for name in acts for _ in range(12)]
    dice.shuffle(chosen)

    replies = await asyncio.gather(*(acts[name]() for name in chosen), holds.expire_holds())

    outcomes = {name: set() for name in acts}
    for name, reply in zip(chosen, replies, strict=False):
        outcomes[name].add(reply.status)
    assert {name: found for name, found in outcomes.items() if not found <= {200, 201, 409, 422}} == {}
    assert outcomes["look"] == outcomes["rates"] == {200}
    for of in types:
        in_use = await sql.fetch_value("SELECT count(*) FROM hotel_room WHERE room_type_id = $1", of["id"])
        assert await sql.fetch(DOUBLY_SOLD, hotel.id, of["id"], in_use) == []
