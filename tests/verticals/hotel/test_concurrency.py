"""Concurrent requests: nothing is sold twice and nothing deadlocks."""

import asyncio
import random
from collections import Counter

from comanda.platform.db import sql
from comanda_hotel.services import holds

from .conftest import day

DOUBLY_SOLD = """
    SELECT night, count(*) FROM hotel_stay s
    CROSS JOIN LATERAL generate_series(s.check_in, s.check_out - 1, interval '1 day') AS night
    WHERE s.store_id = $1 AND s.room_type_id = $2 AND s.status IN ('optional', 'confirmed', 'checked_in')
    GROUP BY 1 HAVING count(*) > $3
"""


async def test_concurrent_bookings_of_last_room_make_one_stay(hotel, published):
    double = await hotel.room_type(rooms=1)

    replies = await asyncio.gather(*(hotel.book(double, dice % 3, 3, key=f"k{dice}") for dice in range(20)))

    assert Counter(reply.status for reply in replies) == {201: 1, 409: 19}
    assert {(reply["code"], reply["reason"]) for reply in replies if reply.status == 409} == {("conflict", "sold_out")}
    assert (await hotel.get("/stays"))["total"] == 1
    assert (await hotel.get("/reservations"))["total"] == 1
    assert len(await published()) == 1


async def test_concurrent_repeats_of_a_key_book_one_stay(hotel, published):
    double = await hotel.room_type(rooms=1)

    replies = await asyncio.gather(*(hotel.book(double, key="k") for _ in range(20)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len(await published()) == 1


async def test_concurrent_key_in_two_types_books_one_stay(hotel):
    types = [await hotel.room_type(f"Type {number}", 3, first=100 * number) for number in range(1, 5)]

    replies = await asyncio.gather(*(hotel.book(of, key="k") for of in types * 4))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert (await hotel.get("/stays"))["total"] == 1


async def test_booking_and_deactivation_do_not_race(hotel):
    for number in range(5):
        double = await hotel.room_type(rooms=1, first=1000 + number)
        room = double["rooms"][0]

        booked, closed = await asyncio.gather(
            hotel.book(double, room_id=room["id"]), hotel.send("PUT", f"/rooms/{room['id']}", {"is_active": False})
        )

        assert sorted([booked.status, closed.status]) in ([200, 409], [201, 409])


async def test_mixed_load_has_no_deadlock_or_double_sale(hotel, clock):
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
