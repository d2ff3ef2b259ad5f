"""A flower shop on a Thursday morning, with a clock that stands still."""

from datetime import UTC, datetime
from functools import partial

import pytest
from comanda.devkit.testing import TestStore, line

THURSDAY = datetime(2030, 1, 10, 9, 0, tzinfo=UTC)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OPEN = [{"open": "09:00", "close": "18:00"}]


class Florist(TestStore):
    """A shop that is closed on Sundays and delivers one bouquet."""

    async def set_up(self):
        hours = {**dict.fromkeys(DAYS, OPEN), "sunday": []}
        assert (await self.send("PUT", "/settings", {"hours": hours})).status == 200
        self.bouquet = await self.item("Peonies", 38, stem_count=7, care_notes="Keep cool.", season_months=[6, 5, 5])

    async def gift(self, day="2030-01-11", **fields):
        """Order the bouquet as a gift and return the reply."""
        gift = {"recipient_name": "Ana Moura", "address": "Rua do Carmo 2", "delivery_day": day, **fields}
        return await self.place(line(self.bouquet), type="gift_delivery", **gift)

    async def decide(self, **settings):
        reply = await self.send("PUT", "/florist/settings", settings)
        assert reply.status == 200, reply

    async def taken(self):
        """Return the taken deliveries of days that have any."""
        listed = (await self.get("/florist/days"))["days"]
        return {each["day"]: each["taken"] for each in listed if each["taken"]}

    async def occasion(self, **fields):
        body = {"recipient_name": "Rui", "what": "Birthday", "month": 3, "day": 14, **fields}
        reply = await self.send("POST", "/florist/occasions", body)
        assert reply.status == 201, reply
        return reply.document

    async def occasions(self):
        return (await self.get("/florist/occasions"))["data"]


@pytest.fixture
async def shop(client, owner, clock):
    clock.set(THURSDAY)
    made = Florist(client, owner, await owner.store("florist", timezone="Europe/Lisbon"))
    await made.set_up()
    return made


@pytest.fixture
async def foreign_shop(client, other_owner, clock):
    clock.set(THURSDAY)
    made = Florist(client, other_owner, await other_owner.store("florist"))
    await made.set_up()
    return made


@pytest.fixture
def admin(mcp, owner):
    return mcp("/mcp", owner.auth)


@pytest.fixture
def anyone(mcp):
    return mcp("/mcp/catalog")


@pytest.fixture
def token_agent(mcp):
    return partial(mcp, "/mcp")


@pytest.fixture
def promises(published):
    """List the data of the gifts that were announced."""

    async def load():
        return [data for name, data in await published() if name == "florist.bouquet_promised"]

    return load
