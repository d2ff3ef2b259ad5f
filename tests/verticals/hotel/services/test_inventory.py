"""Room inventory, compared with a count by hand."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from comanda.platform.db import sql
from comanda_hotel.schemas.availability import FreeRoomsQuery
from comanda_hotel.services import availability, hotels

from ..conftest import TODAY, day


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
async def test_inventory_equals_a_count_by_hand(hotel, owner, seed):
    dice = random.Random(seed)
    house = House(dice, hotel, owner.id)
    await house.build()
    outcomes = Counter()

    for _ in range(12):
        since = TODAY + timedelta(days=dice.randint(0, 8))
        until = since + timedelta(days=dice.randint(1, 6))
        query = FreeRoomsQuery(check_in=since, check_out=until)
        found = await availability.search_availability(owner.caller, hotel.id, query)
        for offer in found.room_types:
            counted = [house.free(offer.room_type_id, night.date) for night in offer.nightly]
            assert [night.available for night in offer.nightly] == counted
            assert offer.available == min(counted)
            assert (offer.reason is None) == (min(counted) > 0)
            outcomes[offer.available] += 1
    assert outcomes
