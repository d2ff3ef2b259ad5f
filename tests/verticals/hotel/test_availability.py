"""What is free: night by night, with a reason for every zero, and equal to what anybody would count by hand."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from comanda.db import sql
from comanda_hotel.schemas.availability import FreeRoomsQuery
from comanda_hotel.services import availability, hotels

from .conftest import TODAY, day


async def test_an_offer_tells_of_each_night_and_of_the_whole(hotel):
    double = await hotel.room_type(rooms=3, description="Quiet", min_stay=2)
    await hotel.stay(double, 1, 2)

    found = await hotel.get(f"/availability?check_in={day(0)}&check_out={day(3)}&adults=2&children=1")

    assert found.document == {
        "restaurant_id": hotel.id, "check_in": day(0), "check_out": day(3), "nights": 3, "adults": 2, "children": 1,
        "currency": "EUR",
        "room_types": [
            {
                "room_type_id": double["id"], "name": "Double", "description": "Quiet", "available": 2,
                "max_adults": 2, "max_children": 1, "min_stay": 2, "total": 240.0, "currency": "EUR", "reason": None,
                "nightly": [
                    {"date": day(0), "price": 80.0, "available": 3},
                    {"date": day(1), "price": 80.0, "available": 2},
                    {"date": day(2), "price": 80.0, "available": 2},
                ],
            }
        ],
    }  # fmt: skip


async def test_without_dates_it_tells_of_tonight(hotel):
    await hotel.room_type(rooms=1)

    found = await hotel.get("/availability")

    assert (found["check_in"], found["check_out"], found["adults"]) == (day(0), day(1), 1)
    assert [one["available"] for one in found["room_types"]] == [1]


async def test_every_zero_has_its_reason(hotel):
    double = await hotel.room_type(rooms=2, min_stay=2)
    path = f"/room-types/{double['id']}"
    assert await hotel.free(double, 0, 2, adults=3) == "occupancy"
    assert await hotel.free(double, 0, 2, children=2) == "occupancy"
    assert await hotel.free(double, 0, 1) == "min_stay"
    assert await hotel.free(await hotel.room_type("Empty", overbooking_allowance=3), 0, 2) == "no_rooms"

    await hotel.stay(double, 0, 2)
    await hotel.clean(double["rooms"][1], "out_of_order")
    assert await hotel.free(double, 0, 2) == "out_of_order"
    assert await hotel.free(double, 2, 2) == 1
    await hotel.clean(double["rooms"][1], "dirty")
    await hotel.stay(double, 0, 2)
    assert await hotel.free(double, 1, 2) == "sold_out"

    await hotel.send("PUT", path, {"is_active": False})
    assert [one["name"] for one in await hotel.offers(0, 2)] == ["Empty"]


async def test_nothing_is_overbooked_where_no_room_can_be_slept_in(hotel):
    double = await hotel.room_type(rooms=1, overbooking_allowance=2)
    assert await hotel.free(double) == 3

    await hotel.clean(double["rooms"][0], "out_of_order")

    assert await hotel.free(double) == "out_of_order"


async def test_a_room_that_is_not_in_use_is_not_sold(hotel):
    double = await hotel.room_type(rooms=2)

    await hotel.send("PUT", f"/rooms/{double['rooms'][0]['id']}", {"is_active": False})

    assert await hotel.free(double) == 1


async def test_a_type_is_asked_for_by_id_or_name(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite, river", 1, first=201)

    async def names(asked):
        return [one["room_type_id"] for one in await hotel.offers(room_type=asked)]

    assert await names(double["id"]) == [double["id"]]
    assert await names("suite,%20RIVER") == [suite["id"]]
    refused = await hotel.send("GET", "/availability?room_type=Tent")
    assert refused.errors == {"room_type": ["This hotel has no room type Tent."]}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (f"check_in={day(-1)}", "check_in"), (f"check_in={day(731)}", "check_in"), ("check_in=9999-12-31", "check_in"),
        (f"check_in={day(2)}&check_out={day(2)}", "check_out"), (f"check_out={day(31)}", "check_out"),
        ("check_out=9999-12-31", "check_out"), ("check_in=today", "check_in"), ("check_in=0", "check_in"),
        ("adults=0", "adults"), ("adults=51", "adults"), ("children=-1", "children"), ("adults=x", "adults"),
    ],
)  # fmt: skip
async def test_a_question_that_makes_no_sense_is_refused(hotel, query, field):
    assert list((await hotel.send("GET", f"/availability?{query}")).errors) == [field]


async def test_thirty_nights_are_told(hotel):
    double = await hotel.room_type(rooms=1)

    (offer,) = await hotel.offers(0, 30)

    assert (len(offer["nightly"]), offer["total"]) == (30, 2400.0)
    assert (await hotel.stay(double, 0, 30))["nights"] == 30


class House:
    """A hotel of any history, written straight into the tables, and counted by hand."""

    def __init__(self, dice, hotel, owner_id):
        self.dice, self.hotel, self.owner_id = dice, hotel, owner_id
        self.types, self.rooms, self.nights, self.stays = {}, {}, set(), []

    async def build(self):
        for _ in range(self.dice.randint(1, 3)):
            allowance = self.dice.choice([0, 0, 1, 2])
            made = await self.hotel.room_type(overbooking_allowance=allowance)
            self.types[made["id"]] = allowance
            for _ in range(self.dice.randint(0, 4)):
                await self._room(made)
        for _ in range(self.dice.randint(0, 25)):
            await self._stay()

    async def _room(self, of):
        status, is_active = self.dice.choice(["clean", "dirty", "out_of_order"]), self.dice.random() < 0.9
        room = await self.hotel.room(of, str(len(self.rooms) + 1), status=status, is_active=is_active)
        self.rooms[room["id"]] = (of["id"], status, is_active)
        if self.dice.random() < 0.4:
            since = self.dice.randint(0, 8)
            until = since + self.dice.randint(1, 5)
            await self.hotel.made(f"/rooms/{room['id']}/blocks", {"from": day(since), "to": day(until)})
            self.nights |= {(room["id"], TODAY + timedelta(days=number)) for number in range(since, until)}

    async def _stay(self):
        status = self.dice.choice(["optional", "confirmed", "cancelled", "no_show"])
        type_id = self.dice.choice(list(self.types))
        since = TODAY + timedelta(days=self.dice.randint(-4, 9))
        until = since + timedelta(days=self.dice.randint(1, 7))
        is_over = self.dice.random() < 0.5
        await sql.execute(
            """WITH mirror AS (
                 INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, party_size,
                   starts_at, ends_at, table_numbers, source, created_at, updated_at)
                 VALUES ($1, $2, 'stay', 'confirmed', 'x', 1, now(), now() + interval '1 day', '{}', 'x', now(), now())
                 RETURNING id)
               INSERT INTO hotel_stay (owner_id, store_id, room_type_id, reservation_id, status, guest_name, adults,
                 check_in, check_out, expires_at, currency, nightly, total_minor, source, cancelled_by, timeline,
                 created_at, updated_at)
               SELECT $1, $2, $3, id, $4::text, 'x', 1, $5, $6, CASE WHEN $4 = 'optional' THEN $7::timestamptz END,
                 'EUR', '[]', 0, 'x', CASE WHEN $4 = 'cancelled' THEN 'store' END, '{}', now(), now() FROM mirror""",
            self.owner_id, self.hotel.id, type_id, status, since, until,
            self._moment() + timedelta(seconds=-1 if is_over else 60),
        )  # fmt: skip
        if status == "confirmed" or (status == "optional" and not is_over):
            self.stays.append((type_id, since, until))

    def _moment(self):
        return hotels.clock.now()

    def free(self, type_id, night):
        usable = 0
        for room_id, (of, status, is_active) in self.rooms.items():
            is_whole = status != "out_of_order" and (room_id, night) not in self.nights
            usable += of == type_id and is_active and is_whole
        sold = sum(of == type_id and since <= night < until for of, since, until in self.stays)
        return max(0, usable + self.types[type_id] - sold) if usable else 0


@pytest.mark.parametrize("seed", range(12))
async def test_it_is_what_anybody_would_count_by_hand(hotel, owner, seed):
    dice = random.Random(seed)
    house = House(dice, hotel, owner.id)
    await house.build()
    outcomes = Counter()

    for _ in range(12):
        since = TODAY + timedelta(days=dice.randint(0, 8))
        until = since + timedelta(days=dice.randint(1, 6))
        query = FreeRoomsQuery(check_in=since, check_out=until)
        found = await availability.search_availability(owner.caller, hotel.id, query)
        for offer in found["room_types"]:
            counted = [house.free(offer["room_type_id"], night["date"]) for night in offer["nightly"]]
            assert [night["available"] for night in offer["nightly"]] == counted
            assert offer["available"] == min(counted)
            assert (offer["reason"] is None) == (min(counted) > 0)
            outcomes[offer["available"]] += 1
    assert outcomes
