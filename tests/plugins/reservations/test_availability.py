"""Whether a party can come, and when else."""

from comanda.contracts.opening_hours import DAYS
from comanda.stores import services as stores
from comanda.stores.schemas import SettingsChange


async def test_a_party_that_fits_is_told_its_table_and_what_else_is_free(restaurant):
    await restaurant.table("1", 2)
    await restaurant.table("2", 4, area="Room")

    assert await restaurant.available(hours=10.25, party_size=3) == {
        "starts_at": "2027-03-10T22:15:00+00:00",
        "ends_at": "2027-03-10T23:45:00+00:00",
        "party_size": 3,
        "is_available": True,
        "reason": None,
        "table_numbers": ["2"],
        "free_tables": [
            {"number": "1", "seats": 2, "area": None},
            {"number": "2", "seats": 4, "area": "Room"},
        ],
        "next_times": [
            f"2027-03-10T{time}:00+00:00" for time in ("22:30", "22:45", "23:00", "23:15", "23:30", "23:45")
        ],
    }


async def test_a_full_house_tells_when_there_is_room_again(restaurant):
    await restaurant.table("1")
    await restaurant.settings(slot_minutes=30)
    await restaurant.reserve(hours=6)
    await restaurant.reserve(hours=8)

    told = await restaurant.available(hours=6)

    assert (told["is_available"], told["reason"]) == (False, "fully_booked")
    assert (told["table_numbers"], told["free_tables"]) == ([], [])
    assert told["next_times"] == [
        f"2027-03-10T{time}:00+00:00" for time in ("21:30", "22:00", "22:30", "23:00", "23:30")
    ]


async def test_what_is_told_can_be_had(restaurant):
    await restaurant.table("1")
    await restaurant.reserve(hours=6)
    next_times = (await restaurant.available(hours=6))["next_times"]

    assert len(next_times) == 8
    reply = await restaurant.ask(starts_at=next_times[0])

    assert reply.status == 201


async def test_every_no_has_its_reason(restaurant):
    await restaurant.table("1")
    await restaurant.settings(min_notice_minutes=60, max_party_size=6)

    async def reason(**wanted):
        told = await restaurant.available(**wanted)
        assert told["is_available"] is False
        return told["reason"]

    assert await reason(hours=-2) == "past"
    assert await reason(hours=24 * 800) == "too_far"
    assert await reason(hours=0.5) == "too_soon"
    assert await reason(party_size=7) == "party_too_large"
    assert await reason(party_size=5) == "fully_booked"
    await restaurant.settings(is_accepting=False)
    assert await reason() == "not_accepting"
    assert (await restaurant.available())["next_times"] == []


async def test_without_a_time_it_is_the_next_slot_for_two(restaurant, noon):
    noon.advance(minutes=1)

    told = (await restaurant.store.get("/tables/availability")).document

    assert (told["starts_at"], told["party_size"]) == ("2027-03-10T12:15:00+00:00", 2)
    assert told["is_available"] is True


async def test_slots_are_those_of_the_store_s_clock_and_none_is_in_an_hour_that_clocks_skip(restaurant, owner):
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange(timezone="Europe/Lisbon"))
    await restaurant.settings(slot_minutes=60)

    # On 28 March 2027 clocks in Lisbon go from 01:00 to 02:00, so that 02:00 follows 00:00.
    told = (await restaurant.store.get("/tables/availability?starts_at=2027-03-28T00:00:00Z")).document

    assert told["next_times"][:2] == ["2027-03-28T01:00:00+00:00", "2027-03-28T02:00:00+00:00"]


async def test_nobody_comes_outside_the_hours(restaurant, owner):
    await restaurant.table("1")
    evening = {day: [{"open": "18:00", "close": "01:00"}] for day in DAYS}
    hours = {**evening, "thursday": [], "exceptions": [{"date": "2027-03-12", "intervals": []}]}
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange.model_validate({"hours": hours}))

    told = await restaurant.available(hours=5)
    early, in_the_night = await restaurant.ask(hours=5), await restaurant.ask(hours=12.5)
    closed_day, exception = await restaurant.ask(hours=31), await restaurant.ask(hours=55)
    allowed = await restaurant.ask(hours=5, override=True)

    assert (told["is_available"], told["reason"]) == (False, "closed")
    assert told["next_times"][0] == "2027-03-10T18:00:00+00:00"
    assert (early.errors, early["reason"]) == ({"starts_at": ["The store is closed at that time."]}, "closed")
    assert [reply.status for reply in (in_the_night, closed_day, exception, allowed)] == [201, 422, 422, 201]


async def test_a_query_that_is_none_is_refused(restaurant):
    for query, field in (
        ("starts_at=soon", "starts_at"),
        ("party_size=0", "party_size"),
        ("party_size=x", "party_size"),
    ):
        reply = await restaurant.store.send("GET", f"/tables/availability?{query}")
        assert list(reply.errors) == [field]
