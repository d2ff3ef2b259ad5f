"""A restaurant in Berlin on a Thursday morning in summer, two hours ahead of UTC."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from comanda.devkit.testing import TestStore

BREAKFAST = {"from": "07:00", "until": "11:00"}


@pytest.fixture
def set_time(clock):
    """Set the clock to a local time such as ``2026-07-30 09:00``."""

    def set_time(text):
        clock.set(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Berlin")))

    set_time("2026-07-30 09:00")
    return set_time


@pytest.fixture
async def cafe(client, owner, set_time):
    """Return a café that has bread all day, pancakes from 07:00 to 11:00, and time standing at 09:00."""
    cafe = TestStore(client, owner, await owner.store(timezone="Europe/Berlin"))
    category = await cafe.category("All")
    cafe.bread = await cafe.item("Bread", 2, category_id=category)
    cafe.pancakes = await cafe.item("Pancakes", 8, category_id=category, sold_at=[BREAKFAST])
    return cafe
