"""Which slots a store has and how full they are: as owners and as customers see it."""

import pytest
from comanda.db import sql


def at(hour, minute=0, day=7):
    """Write a moment of January 2030; the clock stands at nine on Monday, the 7th."""
    return f"2030-01-{day:02}T{hour:02}:{minute:02}:00+00:00"


@pytest.fixture
def public(laundry):
    """Ask for slots as anyone may."""

    async def ask(query="", **headers):
        response = await laundry.client.get(f"/api/v1/menu/{laundry.id}/slots?{query}", headers=headers)
        return response.status_code, await response.get_json(), response.headers

    return ask


async def test_owners_see_todays_slots_of_the_first_mode_and_how_full_they_are(laundry):
    await laundry.open_from("08:00", "11:00")
    await laundry.cut(slot_minutes=60, capacity=1)
    await laundry.taken_time(at(10))

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


async def test_another_mode_and_another_day_can_be_asked_for(laundry):
    await laundry.open_from("08:00", "09:00")

    found = (await laundry.get("/slots?mode=appointment&date=2030-02-06")).document

    assert (found["mode"], found["date"]) == ("appointment", "2030-02-06")
    assert [slot["is_free"] for slot in found["slots"]] == [True, True]
    beyond = (await laundry.get("/slots?mode=appointment&date=2030-02-07"))["slots"]
    assert [slot["is_free"] for slot in beyond] == [False, False]


async def test_a_day_is_that_of_the_stores_time_zone(laundry, clock):
    await laundry.send("PUT", "/settings", {"timezone": "Pacific/Apia"})
    await laundry.cut(slot_minutes=480, lead_minutes=0)

    found = (await laundry.get("/slots")).document

    assert (found["date"], found["timezone"]) == ("2030-01-07", "Pacific/Apia")
    assert [slot["starts_at"] for slot in found["slots"]] == [at(11, day=6), at(19, day=6), at(3)]


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("mode=in_store", {"mode": ["Must be one of: pickup_slot, appointment."]}),
        ("mode=", {"mode": ["Must be one of: pickup_slot, appointment."]}),
        ("date=2031-01-09", {"date": ["Must be a day from 2029-12-07 to 2031-01-08."]}),
        ("date=2029-12-06", {"date": ["Must be a day from 2029-12-07 to 2031-01-08."]}),
        ("date=2030-02-30", {"date": ["Must be a date such as 2026-02-28."]}),
        ("date=1893456000", {"date": ["Must be a date such as 2026-12-25."]}),
        ("date=9999-12-31", {"date": ["Must be a date between the years 2000 and 2099."]}),
    ],
)
async def test_a_question_that_has_no_answer_is_refused(laundry, public, query, errors):
    assert (await laundry.send("GET", f"/slots?{query}")).errors == errors
    status, answer, _ = await public(query)
    assert (status, answer["errors"]) == (422, errors)


@pytest.mark.parametrize(("store_type", "mode", "sentence"), [
    ("restaurant", "", "This store has no mode with slots."),
    ("restaurant", "pickup_slot", "This store has no mode with slots."),
    ("hotel", "pickup_slot", "This store has slots for: appointment."),
])  # fmt: skip
async def test_a_store_has_slots_for_the_modes_of_its_vertical_alone(laundry, owner, store_type, mode, sentence):
    query = f"?mode={mode}" if mode else ""
    path = f"/api/v1/restaurants/{await owner.store(store_type)}/slots{query}"

    assert (await laundry.send_to(path)).errors == {"mode": [sentence]}


async def test_customers_see_what_is_free_and_nothing_else(laundry, public):
    await laundry.open_from("08:00", "11:00")
    await laundry.cut(slot_minutes=60, capacity=1)
    await laundry.taken_time(at(10))

    status, found, headers = await public("date=2030-01-07", Origin="https://anywhere.example")

    assert (status, headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert found == {
        "mode": "pickup_slot",
        "date": "2030-01-07",
        "timezone": "UTC",
        "slots": [
            {"starts_at": at(8), "ends_at": at(9), "is_free": False},
            {"starts_at": at(9), "ends_at": at(10), "is_free": False},
            {"starts_at": at(10), "ends_at": at(11), "is_free": False},
        ],
    }
    _, tomorrow, _ = await public("date=2030-01-08")
    assert [slot["is_free"] for slot in tomorrow["slots"]] == [True, True, True]


async def test_customers_see_nothing_of_a_store_that_is_unpublished_unknown_or_suspended(laundry, public, owner):
    await laundry.send("PUT", "/settings", {"is_published": False})
    assert (await public())[0] == 404
    await laundry.send("PUT", "/settings", {"is_published": True})
    assert (await public())[0] == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    assert (await public())[0] == 404
    laundry.id = 987_654_321_000
    assert (await public())[0] == 404


async def test_hours_that_change_change_the_slots_at_once(laundry):
    await laundry.open_from("09:00", "09:30")
    assert list(await laundry.slots()) == [at(9), at(9, 15)]

    await laundry.open_from("10:00", "10:30")

    assert list(await laundry.slots()) == [at(10), at(10, 15)]
    assert await laundry.taken_time() == at(10)
