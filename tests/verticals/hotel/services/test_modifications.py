"""Modifications of stays."""

import pytest

from ..conftest import day


async def test_new_dates_are_repriced_and_listed(hotel):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 2, 2)
    await hotel.send("PUT", f"/room-types/{double['id']}", {"base_price": 100})

    changed = await hotel.change(stay, check_in=day(3), check_out=day(6))

    assert (changed["check_in"], changed["nights"], changed["total"]) == (day(3), 3, 300.0)
    (listed,) = (await hotel.get("/reservations"))["data"]
    assert (listed["starts_at"], listed["ends_at"]) == (f"{day(3)}T15:00:00+00:00", f"{day(6)}T11:00:00+00:00")
    assert [await hotel.free(double, offset) for offset in (2, 3, 6)] == [1, "sold_out", 1]


async def test_stay_does_not_block_its_own_extension(hotel):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 2, 3)

    assert (await hotel.change(stay, check_in=day(1), check_out=day(4))).status == 200


async def test_sold_out_dates_are_refused(hotel, published):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 5)
    stay = await hotel.stay(double, 2, 2)
    before = await published()

    refused = await hotel.change(stay, check_out=day(6), guest_name="Changed")

    assert (refused.status, refused["reason"]) == (409, "sold_out")
    assert await hotel.look(stay) == stay
    assert await published() == before


async def test_contact_changes_keep_the_price(hotel):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, phone="1", note="x")
    await hotel.send("PUT", f"/room-types/{double['id']}", {"base_price": 100})

    changed = await hotel.change(stay, guest_name="Bo Lind", phone=None, email="b@example.com", check_in=day(0))

    assert (changed["guest_name"], changed["phone"], changed["note"], changed["total"]) == ("Bo Lind", None, "x", 80.0)
    (listed,) = (await hotel.get("/reservations"))["data"]
    assert (listed["guest_name"], listed["phone"], listed["email"]) == ("Bo Lind", None, "b@example.com")


async def test_new_room_type_removes_the_room_and_reprices(hotel):
    double = await hotel.room_type(rooms=1)
    suite = await hotel.room_type("Suite", 1, first=201, base_price=200, base_adults=1, extra_adult_price=50)
    stay = await hotel.stay(double, 1, 2, room_id=double["rooms"][0]["id"])

    moved = await hotel.change(stay, room_type_id=suite["id"])
    assert (moved["room_type"], moved["room_id"], moved["total"]) == ("Suite", None, 400.0)
    assert (await hotel.change(stay, adults=2))["total"] == 500.0
    refused = await hotel.change(stay, adults=3)

    assert refused.errors == {"adults": ["Suite sleeps at most 2 adults and 1 children."]}
    assert (await hotel.change(stay, room_type_id=1)).errors.keys() == {"room_type_id"}
    assert (await hotel.look(stay))["adults"] == 2


async def test_assigned_room_is_kept_unless_taken(hotel):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]["id"]
    stay = await hotel.stay(double, 1, 2, room_id=room)
    await hotel.stay(double, 4, 1, room_id=room)

    assert (await hotel.change(stay, check_out=day(4)))["room_id"] == room
    refused = await hotel.change(stay, check_out=day(5))

    assert (refused.status, refused["reason"]) == (409, "room_taken")
    assert (await hotel.look(stay))["check_out"] == day(4)


async def test_extension_in_house_keeps_past_prices(hotel, next_day):
    double = await hotel.room_type(rooms=1, min_stay=2)
    stay = await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in")
    await hotel.send("PUT", f"/room-types/{double['id']}", {"base_price": 100})
    next_day()

    longer = await hotel.change(stay, check_out=day(3))
    assert [night["price"] for night in longer["nightly"]] == [80.0, 100.0, 100.0]
    assert longer["total"] == 280.0
    shorter = await hotel.change(stay, check_out=day(2))
    assert [night["price"] for night in shorter["nightly"]] == [80.0, 100.0]

    assert (await hotel.change(stay, check_out=day(1))).errors == {"check_out": [f"Must be after {day(1)}."]}
    assert (await hotel.change(stay, check_in=day(1))).status == 409
    assert (await hotel.change(stay, check_out=day(33))).errors.keys() == {"check_out"}
    suite = await hotel.room_type("Suite", 1, first=201)
    assert (await hotel.change(stay, room_type_id=suite["id"])).status == 409
    assert (await hotel.look(stay)) == shorter.document


@pytest.mark.parametrize("status", ["cancelled", "no_show", "checked_out"])
async def test_ended_stay_only_takes_contact_changes(hotel, status):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double)
    if status == "checked_out":
        await hotel.must_set(stay, "checked_in")
    await hotel.must_set(stay, status)

    refused = await hotel.change(stay, check_out=day(2))
    noted = await hotel.change(stay, note="Left a hat.", check_out=day(1))

    assert (refused.status, refused["reason"]) == (409, "stay_over")
    assert (noted.status, noted["note"], noted["status"]) == (200, "Left a hat.", status)


INVALID_CHANGES = [
    ({"check_in": day(-1)}, "check_in"), ({"check_out": day(2)}, "check_out"), ({"check_in": day(800)}, "check_in"),
    ({"check_out": day(40)}, "check_out"), ({"check_out": "9999-12-31"}, "check_out"),
    ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
]  # fmt: skip


async def test_invalid_changes_are_refused(hotel, subtests):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 2, 2, status="optional")

    for fields, field in INVALID_CHANGES:
        with subtests.test(fields=fields, field=field):
            assert list((await hotel.change(stay, **fields)).errors) == [field]
            assert await hotel.look(stay) == stay


async def test_only_holds_can_be_prolonged(hotel):
    double = await hotel.room_type(rooms=2)
    held, booked = await hotel.stay(double, status="optional"), await hotel.stay(double)

    longer = await hotel.change(held, expires_at="2027-03-20T09:00:00+01:00")

    assert longer["expires_at"] == "2027-03-20T08:00:00+00:00"
    assert (await hotel.change(booked, expires_at="2027-03-20T09:00:00+01:00")).status == 409


async def test_expired_hold_is_prolonged_while_a_room_is_free(hotel, clock):
    double = await hotel.room_type(rooms=1)
    held = await hotel.stay(double, 9, status="optional")
    clock.advance(days=1)
    longer = await hotel.change(held, expires_at="2027-03-12T12:00:00Z")
    assert (longer.status, await hotel.free(double, 9)) == (200, "sold_out")

    clock.advance(days=1)
    await hotel.stay(double, 9)
    refused = await hotel.change(held, expires_at="2027-03-15T12:00:00Z")

    assert (refused.status, refused["reason"]) == (409, "sold_out")
    assert (await hotel.look(held))["expires_at"] == "2027-03-12T12:00:00+00:00"


async def test_overstayed_nights_are_charged(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in")
    await hotel.send("PUT", f"/room-types/{double['id']}", {"base_price": 100})
    next_day(3)

    longer = await hotel.change(stay, check_out=day(4))

    assert [(night["date"], night["price"]) for night in longer["nightly"]] == [
        (day(0), 80.0), (day(1), 100.0), (day(2), 100.0), (day(3), 100.0)
    ]  # fmt: skip
    assert longer["total"] == 380.0
