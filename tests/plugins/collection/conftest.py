"""A store with slots, on a Monday morning that stands still."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing.stores import TestStore, line

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONDAY = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)


class Laundry(TestStore):
    """A store with one service, whose customers come in slots."""

    def __init__(self, client, owner, id):
        super().__init__(client, owner, id)
        self.shirt = None

    async def come(self, when=None, mode="pickup_slot", **fields):
        """Place an order of one shirt, for a time if one is given; whatever the answer."""
        if when is not None:
            fields["scheduled_for"] = when
        return await self.place(line(self.shirt), type=mode, **fields)

    async def taken_time(self, when=None, **fields):
        """Place an order that must be taken, and tell for when."""
        reply = await self.come(when, **fields)
        assert reply.status == 201, reply
        return reply["scheduled_for"]

    async def open_from(self, opens, closes, *, only=DAYS):
        intervals = [{"open": opens, "close": closes}]
        hours = {day: intervals if day in only else [] for day in DAYS}
        assert (await self.send("PUT", "/settings", {"hours": hours})).status == 200

    async def cut(self, mode="pickup_slot", **rules):
        reply = await self.send("PUT", "/slot-settings", {"mode": mode, **rules})
        assert reply.status == 200, reply
        return {each["mode"]: each for each in reply["modes"]}

    async def slots(self, **query):
        """The day's slots by the time at which they begin."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return {slot["starts_at"]: slot for slot in (await self.get(f"/slots?{asked}"))["slots"]}

    async def counts(self, **query):
        """How many places are taken, of the slots in which any is."""
        return {starts_at: slot["taken"] for starts_at, slot in (await self.slots(**query)).items() if slot["taken"]}


@pytest.fixture
async def laundry(client, owner, clock):
    clock.set(MONDAY)
    made = Laundry(client, owner, await owner.store("laundry"))
    made.shirt = await made.item("Shirt", 3)
    return made
