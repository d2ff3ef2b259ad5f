"""Reservations of stays."""

from ..conftest import day


async def test_stay_is_listed_as_reservation_and_published(hotel, published):
    double = await hotel.room_type(rooms=1)

    made = await hotel.stay(double, 2, 3, adults=2, children=1, note="Late.", source="desk")

    (listed,) = (await hotel.get("/reservations"))["data"]
    # Lisbon keeps UTC in March until the last Sunday.
    expected = {
        "id": made["reservation_id"], "kind": "stay", "status": "confirmed", "guest_name": "Ada Costa",
        "party_size": 3, "starts_at": f"{day(2)}T15:00:00+00:00", "ends_at": f"{day(5)}T11:00:00+00:00",
        "note": "Late.", "source": "desk",
    }  # fmt: skip
    assert {name: listed[name] for name in expected} == expected
    ((name, data),) = await published()
    assert name == "reservation.created"
    assert (data["reservation_id"], data["kind"], data["status"]) == (made["reservation_id"], "stay", "confirmed")


async def test_reservation_times_are_in_the_hotels_time_zone(client, owner, hotel):
    far = type(hotel)(client, owner, await owner.store("hotel", timezone="Pacific/Auckland"))
    # It is tomorrow there.
    double = await far.room_type(rooms=1)

    assert (await far.book(double, 0)).errors == {"check_in": ["Must not be in the past."]}
    await far.stay(double, 1)

    (listed,) = (await far.get("/reservations"))["data"]
    assert listed["starts_at"] == f"{day(1)}T02:00:00+00:00"
