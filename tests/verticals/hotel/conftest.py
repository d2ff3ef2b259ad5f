"""A hotel that a test drives over the API, as its front desk would."""

from datetime import UTC, date, datetime, timedelta

import pytest
from comanda.devkit.testing.stores import TestStore

TODAY = date(2027, 3, 10)


def day(offset):
    """A day counted from today, as it stands on the wire."""
    return (TODAY + timedelta(days=offset)).isoformat()


class TestHotel(TestStore):
    __test__ = False

    async def made(self, path, body, **headers):
        reply = await self.send("POST", path, body, **headers)
        assert reply.status == 201, reply
        return reply.document

    async def room_type(self, name="Double", rooms=0, first=101, **fields):
        """Add a room type and its rooms, numbered from ``first``."""
        body = {"name": name, "base_price": 80, "max_adults": 2, "max_children": 1, **fields}
        made = await self.made("/room-types", body)
        made["rooms"] = [await self.room(made, str(first + number)) for number in range(rooms)]
        return made

    async def room(self, of, number, **fields):
        return await self.made("/rooms", {"number": number, "room_type_id": of["id"], **fields})

    async def book(self, of, arrives=0, nights=1, key=None, **fields):
        """Try to book; whatever the answer."""
        body = {
            "room_type_id": of["id"], "check_in": day(arrives), "check_out": day(arrives + nights),
            "guest_name": "Ada Costa", **fields,
        }  # fmt: skip
        return await self.send("POST", "/stays", body, **({} if key is None else {"Idempotency_Key": key}))

    async def stay(self, of, arrives=0, nights=1, **fields):
        reply = await self.book(of, arrives, nights, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def set(self, stay, status, **fields):
        return await self.send("PUT", f"/stays/{stay['id']}/status", {"status": status, **fields})

    async def must_set(self, stay, status, **fields):
        reply = await self.set(stay, status, **fields)
        assert (reply.status, reply["status"]) == (200, status), reply
        return reply.document

    async def change(self, stay, **fields):
        return await self.send("PUT", f"/stays/{stay['id']}", fields)

    async def give(self, stay, room):
        return await self.send("PUT", f"/stays/{stay['id']}/room", {"room_id": room and room["id"]})

    async def look(self, stay):
        return (await self.get(f"/stays/{stay['id']}")).document

    async def clean(self, room, status="clean"):
        return await self.send("PUT", f"/rooms/{room['id']}/status", {"status": status})

    async def offers(self, arrives=0, nights=1, **query):
        asked = {"check_in": day(arrives), "check_out": day(arrives + nights), **query}
        path = "/availability?" + "&".join(f"{name}={value}" for name, value in asked.items())
        return (await self.get(path))["room_types"]

    async def free(self, of, arrives=0, nights=1, **query):
        """How many rooms of a type are free, or why none is."""
        (offer,) = [one for one in await self.offers(arrives, nights, **query) if one["room_type_id"] == of["id"]]
        return offer["reason"] or offer["available"]


@pytest.fixture
async def hotel(client, owner, clock):
    """A hotel in Lisbon, at noon."""
    clock.set(datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC))
    return TestHotel(client, owner, await owner.store("hotel", timezone="Europe/Lisbon"))


@pytest.fixture
def next_day(clock):
    """Let days pass."""

    def sleep(days=1):
        clock.advance(days=days)

    return sleep
