"""A store with slots, at a fixed time on a Monday morning."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import TestStore, line

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONDAY = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)


class SlotStore(TestStore):
    """A store with one service and slots."""

    def __init__(self, client, owner, id):
        super().__init__(client, owner, id)
        self.shirt = None

    async def place_slot_order(self, when=None, mode="pickup_slot", **fields):
        """Place an order of one shirt, for a time if one is given, and return the reply."""
        if when is not None:
            fields["scheduled_for"] = when
        return await self.place(line(self.shirt), type=mode, **fields)

    async def book(self, when=None, **fields):
        """Place an order that must be accepted, and return its time."""
        reply = await self.place_slot_order(when, **fields)
        assert reply.status == 201, reply
        return reply["scheduled_for"]

    async def set_hours(self, opens, closes, *, only=DAYS):
        intervals = [{"open": opens, "close": closes}]
        hours = {day: intervals if day in only else [] for day in DAYS}
        assert (await self.send("PUT", "/settings", {"hours": hours})).status == 200

    async def update_rules(self, mode="pickup_slot", **rules):
        reply = await self.send("PUT", "/slot-settings", {"mode": mode, **rules})
        assert reply.status == 200, reply
        return {each["mode"]: each for each in reply["modes"]}

    async def slots(self, **query):
        """Return the slots of a day by start."""
        parameters = "&".join(f"{name}={value}" for name, value in query.items())
        return {slot["starts_at"]: slot for slot in (await self.get(f"/slots?{parameters}"))["slots"]}

    async def counts(self, **query):
        """Count the bookings of each slot that has any."""
        return {starts_at: slot["taken"] for starts_at, slot in (await self.slots(**query)).items() if slot["taken"]}


@pytest.fixture
async def laundry(client, owner, clock):
    clock.set(MONDAY)
    store = SlotStore(client, owner, await owner.store("laundry"))
    store.shirt = await store.item("Shirt", 3)
    return store


@pytest.fixture
def public(laundry):
    """Return a function that lists slots over the public route."""

    async def get(query="", **headers):
        response = await laundry.client.get(f"/api/v1/menu/{laundry.id}/slots?{query}", headers=headers)
        return response.status_code, await response.get_json(), response.headers

    return get


@pytest.fixture
def at():
    """Return a function that formats a time of January 2030; the clock stands at nine on Monday, the 7th."""

    def format_time(hour, minute=0, day=7):
        return f"2030-01-{day:02}T{hour:02}:{minute:02}:00+00:00"

    return format_time
