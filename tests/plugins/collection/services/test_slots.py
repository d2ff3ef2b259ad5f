"""The slots of a store and how full they are."""

import pytest


async def test_default_is_today_and_first_mode(laundry, at):
    await laundry.set_hours("08:00", "11:00")
    await laundry.update_rules(slot_minutes=60, capacity=1)
    await laundry.book(at(10))

    assert (await laundry.get("/slots")).document == {
        "mode": "pickup_slot",
        "date": "2030-01-07",
        "timezone": "UTC",
        "slots": [
            {"starts_at": at(8), "ends_at": at(9), "is_free": False, "capacity": 1, "taken": 0},
            {"starts_at": at(9), "ends_at": at(10), "is_free": False, "capacity": 1, "taken": 0},
            {"starts_at": at(10), "ends_at": at(11), "is_free": False, "capacity": 1, "taken": 1},
        ],
    }


async def test_mode_and_day_can_be_chosen(laundry):
    await laundry.set_hours("08:00", "09:00")

    found = (await laundry.get("/slots?mode=appointment&date=2030-02-06")).document

    assert (found["mode"], found["date"]) == ("appointment", "2030-02-06")
    assert [slot["is_free"] for slot in found["slots"]] == [True, True]
    beyond = (await laundry.get("/slots?mode=appointment&date=2030-02-07"))["slots"]
    assert [slot["is_free"] for slot in beyond] == [False, False]


async def test_day_follows_time_zone_of_store(laundry, clock, at):
    await laundry.send("PUT", "/settings", {"timezone": "Pacific/Apia"})
    await laundry.update_rules(slot_minutes=480, lead_minutes=0)

    found = (await laundry.get("/slots")).document

    assert (found["date"], found["timezone"]) == ("2030-01-07", "Pacific/Apia")
    assert [slot["starts_at"] for slot in found["slots"]] == [at(11, day=6), at(19, day=6), at(3)]


INVALID_QUERIES = [
    ("mode=in_store", {"mode": ["Must be one of: pickup_slot, appointment."]}),
    ("date=2031-01-09", {"date": ["Must be a day from 2029-12-07 to 2031-01-08."]}),
    ("date=2029-12-06", {"date": ["Must be a day from 2029-12-07 to 2031-01-08."]}),
    ("date=2030-02-30", {"date": ["Must be a date such as 2026-02-28."]}),
    ("date=1893456000", {"date": ["Must be a date such as 2026-12-25."]}),
    ("date=9999-12-31", {"date": ["Must be a date between the years 2000 and 2099."]}),
]


async def test_invalid_query_is_refused(laundry, public, subtests):
    for query, errors in INVALID_QUERIES:
        with subtests.test(query=query, errors=errors):
            assert (await laundry.send("GET", f"/slots?{query}")).errors == errors
            status, answer, _ = await public(query)
            assert (status, answer["errors"]) == (422, errors)


@pytest.mark.parametrize(("store_type", "mode", "sentence"), [
    ("restaurant", "", "This store has no mode with slots."),
    ("restaurant", "pickup_slot", "This store has no mode with slots."),
    ("hotel", "pickup_slot", "This store has slots for: appointment."),
])  # fmt: skip
async def test_slots_exist_only_for_modes_of_vertical(laundry, owner, store_type, mode, sentence):
    query = f"?mode={mode}" if mode else ""
    path = f"/api/v1/restaurants/{await owner.store(store_type)}/slots{query}"

    assert (await laundry.send_to(path)).errors == {"mode": [sentence]}


async def test_slots_follow_new_hours_at_once(laundry, at):
    await laundry.set_hours("09:00", "09:30")
    assert list(await laundry.slots()) == [at(9), at(9, 15)]

    await laundry.set_hours("10:00", "10:30")

    assert list(await laundry.slots()) == [at(10), at(10, 15)]
    assert await laundry.book() == at(10)
