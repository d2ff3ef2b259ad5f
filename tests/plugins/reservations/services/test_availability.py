"""The availability of tables."""

from comanda.contracts import DAYS
from comanda.stores import SettingsChange
from comanda.stores import services as stores


async def test_party_gets_table_and_free_tables(restaurant):
    await restaurant.create_table("1", 2)
    await restaurant.create_table("2", 4, area="Room")

    assert await restaurant.get_availability(hours=10.25, party_size=3) == {
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


async def test_full_store_offers_later_times(restaurant):
    await restaurant.create_table("1")
    await restaurant.update_settings(slot_minutes=30)
    await restaurant.create_reservation(hours=6)
    await restaurant.create_reservation(hours=8)

    told = await restaurant.get_availability(hours=6)

    assert (told["is_available"], told["reason"]) == (False, "fully_booked")
    assert (told["table_numbers"], told["free_tables"]) == ([], [])
    assert told["next_times"] == [
        f"2027-03-10T{time}:00+00:00" for time in ("21:30", "22:00", "22:30", "23:00", "23:30")
    ]


async def test_offered_time_can_be_reserved(restaurant):
    await restaurant.create_table("1")
    await restaurant.create_reservation(hours=6)
    next_times = (await restaurant.get_availability(hours=6))["next_times"]

    assert len(next_times) == 8
    reply = await restaurant.request_reservation(starts_at=next_times[0])

    assert reply.status == 201


async def test_every_refusal_has_its_reason(restaurant):
    await restaurant.create_table("1")
    await restaurant.update_settings(min_notice_minutes=60, max_party_size=6)

    async def reason(**wanted):
        told = await restaurant.get_availability(**wanted)
        assert told["is_available"] is False
        return told["reason"]

    assert await reason(hours=-2) == "past"
    assert await reason(hours=24 * 800) == "too_far"
    assert await reason(hours=0.5) == "too_soon"
    assert await reason(party_size=7) == "party_too_large"
    assert await reason(party_size=5) == "fully_booked"
    await restaurant.update_settings(is_accepting=False)
    assert await reason() == "not_accepting"
    assert (await restaurant.get_availability())["next_times"] == []


async def test_default_is_next_slot_for_two(restaurant, noon):
    noon.advance(minutes=1)

    told = (await restaurant.store.get("/tables/availability")).document

    assert (told["starts_at"], told["party_size"]) == ("2027-03-10T12:15:00+00:00", 2)
    assert told["is_available"] is True


async def test_slots_follow_local_time_across_daylight_saving(restaurant, owner):
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange(timezone="Europe/Lisbon"))
    await restaurant.update_settings(slot_minutes=60)

    # On 28 March 2027 clocks in Lisbon go from 01:00 to 02:00, so that 02:00 follows 00:00.
    told = (await restaurant.store.get("/tables/availability?starts_at=2027-03-28T00:00:00Z")).document

    assert told["next_times"][:2] == ["2027-03-28T01:00:00+00:00", "2027-03-28T02:00:00+00:00"]


async def test_times_outside_opening_hours_are_refused(restaurant, owner):
    await restaurant.create_table("1")
    evening = {day: [{"open": "18:00", "close": "01:00"}] for day in DAYS}
    hours = {**evening, "thursday": [], "exceptions": [{"date": "2027-03-12", "intervals": []}]}
    await stores.update_settings(owner.caller, restaurant.store.id, SettingsChange.model_validate({"hours": hours}))

    told = await restaurant.get_availability(hours=5)
    early, in_the_night = (
        await restaurant.request_reservation(hours=5),
        await restaurant.request_reservation(hours=12.5),
    )
    closed_day, exception = (
        await restaurant.request_reservation(hours=31),
        await restaurant.request_reservation(hours=55),
    )
    allowed = await restaurant.request_reservation(hours=5, override=True)

    assert (told["is_available"], told["reason"]) == (False, "closed")
    assert told["next_times"][0] == "2027-03-10T18:00:00+00:00"
    assert (early.errors, early["reason"]) == ({"starts_at": ["The store is closed at that time."]}, "closed")
    assert [reply.status for reply in (in_the_night, closed_day, exception, allowed)] == [201, 422, 422, 201]


async def test_invalid_query_returns_422(restaurant):
    for query, field in (
        ("starts_at=soon", "starts_at"),
        ("party_size=0", "party_size"),
        ("party_size=x", "party_size"),
    ):
        reply = await restaurant.store.send("GET", f"/tables/availability?{query}")
        assert list(reply.errors) == [field]
