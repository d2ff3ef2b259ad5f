"""The day for which goods are promised."""

import pytest
from comanda.devkit.testing import line

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OPEN = [{"open": "09:00", "close": "18:00"}]


async def test_store_without_hours_works_every_day(laundry):
    assert (await laundry.intake(await laundry.drop_off()))["ready_on"] == "2030-01-07"


async def test_days_on_which_the_store_is_closed_do_not_count(laundry):
    hours = {**dict.fromkeys(DAYS, OPEN), "sunday": [], "exceptions": [{"date": "2030-01-07", "intervals": []}]}
    await laundry.send("PUT", "/settings", {"hours": hours})

    # Saturday, Tuesday, Wednesday.
    assert (await laundry.intake(await laundry.drop_off()))["ready_on"] == "2030-01-09"


@pytest.mark.parametrize(("own", "expected"), [(1, "2030-01-06"), (10, "2030-01-14"), (None, "2030-01-06")])
async def test_service_that_takes_longest_decides(laundry, own, expected):
    await laundry.send("PUT", "/settings/laundry", {"ready_days": 2})
    dress = await laundry.item("Dress", 20, ready_days=own)

    order = await laundry.drop_off(line(laundry.shirt), line(dress))

    assert (await laundry.intake(order))["ready_on"] == expected


async def test_days_count_from_the_agreed_time(laundry):
    order = await laundry.drop_off(type="pickup_slot", scheduled_for="2030-01-10T10:00:00Z")

    assert (await laundry.intake(order))["ready_on"] == "2030-01-13"


async def test_lines_that_are_added_put_the_day_off(laundry):
    order = await laundry.drop_off()
    dress = await laundry.item("Dress", 20, ready_days=10)

    await laundry.send("POST", f"/orders/{order['id']}/lines", {"items": [line(dress)]})

    assert (await laundry.intake(order))["ready_on"] == "2030-01-14"


async def test_store_that_is_closed_for_good_promises_any_day(laundry):
    await laundry.send("PUT", "/settings", {"hours": {day: [] for day in DAYS}})

    assert (await laundry.intake(await laundry.drop_off()))["ready_on"] == "2030-01-07"
