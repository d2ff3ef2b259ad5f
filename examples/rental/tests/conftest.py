"""A tool-hire shop on a Thursday morning, with a clock that stands still."""

from datetime import UTC, datetime
from functools import partial

import pytest
from comanda.devkit.testing import TestStore, line

THURSDAY = datetime(2030, 1, 10, 9, 0, tzinfo=UTC)


class ToolHire(TestStore):
    """A shop with two drills and one mixer."""

    async def set_up(self):
        self.drill = await self.item("Drill", 20, pieces=2)
        self.mixer = await self.item("Mixer", 35.5)

    def days(self, first="2030-01-11", last="2030-01-13"):
        return {"type": "day_hire", "hire_from": first, "hire_until": last}

    async def hire(self, *lines, first="2030-01-11", last="2030-01-13", **fields):
        """Order tools, one drill if none are given, and return the reply."""
        return await self.place(*(lines or [line(self.drill)]), **self.days(first, last), **fields)

    async def decide(self, **settings):
        reply = await self.send("PUT", "/settings/rental", settings)
        assert reply.status == 200, reply

    async def bring_back(self, order_id, **body):
        return await self.send("PUT", f"/rental/orders/{order_id}/return", body)

    async def bookings(self):
        """Return the pieces that are out or expected, by order."""
        listed = (await self.get("/rental/bookings"))["data"]
        return {each["order_id"]: each["pieces"] for each in listed}


async def open_shop(client, owner, **options):
    made = ToolHire(client, owner, await owner.store("tool_hire", timezone="Europe/Lisbon", **options))
    await made.set_up()
    return made


@pytest.fixture
async def shop(client, owner, clock):
    clock.set(THURSDAY)
    return await open_shop(client, owner, title="Tool Shed")


@pytest.fixture
async def foreign_shop(client, other_owner, clock):
    clock.set(THURSDAY)
    return await open_shop(client, other_owner)


@pytest.fixture
def admin(mcp, owner):
    return mcp("/mcp", owner.auth)


@pytest.fixture
def anyone(mcp):
    return mcp("/mcp/catalog")


@pytest.fixture
def token_agent(mcp):
    return partial(mcp, "/mcp")
