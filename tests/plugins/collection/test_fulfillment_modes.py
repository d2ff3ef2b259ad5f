"""Fulfillment modes with and without slots."""

from datetime import datetime

import pytest
from comanda.devkit.testing import TestStore, line


@pytest.fixture
async def hotel(client, owner, clock, at):
    clock.set(datetime.fromisoformat(at(9)))
    return TestStore(client, owner, await owner.store("hotel"))


@pytest.mark.parametrize("mode", ["in_store", "delivery"])
async def test_other_modes_keep_any_time(laundry, mode, at):
    times = [None, at(11, 7), at(9, day=6)]

    replies = [
        await laundry.place(line(laundry.shirt), type=mode, address="Rua 1", scheduled_for=when) for when in times
    ]

    assert [reply["scheduled_for"] for reply in replies] == times
    assert await laundry.counts() == {}


async def test_appointments_have_slots_in_every_vertical(hotel, at):
    massage = await hotel.item("Massage", 60)

    order = await hotel.order(line(massage), type="appointment")

    assert order["scheduled_for"] == at(10)
