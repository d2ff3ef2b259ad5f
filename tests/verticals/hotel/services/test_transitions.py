"""Status transitions of stays."""

import pytest

from ..conftest import day, get_room_status, list_nights


async def test_check_in_is_refused_too_early_or_too_late(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 1, 2)
    assert (await hotel.set(stay, "checked_in"))["reason"] == "too_early"
    assert (await hotel.set(stay, "no_show"))["reason"] == "too_early"

    next_day(3)

    assert (await hotel.set(stay, "checked_in"))["reason"] == "stay_over"
    assert (await hotel.look(stay))["status"] == "confirmed"


async def test_late_check_in_takes_a_room_vacated_today(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]
    earlier = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in", room_id=room["id"])
    late = await hotel.stay(double, 0, 3)
    next_day()
    await hotel.must_set(earlier, "checked_out")
    await hotel.clean(room)

    arrived = await hotel.must_set(late, "checked_in", room_id=room["id"])

    assert arrived["room_number"] == "101"
    assert await list_nights(late) == [day(1), day(2)]


async def test_early_check_out_releases_and_credits_nights(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 5), "checked_in")
    next_day(2)
    assert await hotel.free(double, 2, 3) == "sold_out"

    left = await hotel.must_set(stay, "checked_out")

    assert (left["departed_on"], left["check_out"], left["total"]) == (day(2), day(5), 160.0)
    assert left["nightly"] == [{"date": day(0), "price": 80.0}, {"date": day(1), "price": 80.0}]
    assert await list_nights(stay) == [day(0), day(1)]
    assert await hotel.free(double, 2, 3) == 1
    assert await get_room_status(hotel, double["rooms"][0]) == "dirty"
    (listed,) = (await hotel.get("/reservations"))["data"]
    assert (listed["status"], listed["ends_at"]) == ("checked_out", f"{day(2)}T11:00:00+00:00")


async def test_unused_nights_are_charged_on_request(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    strict = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")
    same_day = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")

    assert (await hotel.must_set(same_day, "checked_out"))["total"] == 80.0
    assert (await hotel.must_set(strict, "checked_out", charge_unused_nights=True))["total"] == 240.0


async def test_no_show_releases_nights_and_can_be_confirmed(hotel, next_day, published):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 0, 4, room_id=double["rooms"][0]["id"])
    next_day()

    gone = await hotel.must_set(stay, "no_show")
    assert (gone["room_id"], await list_nights(stay), await hotel.free(double, 1, 3)) == (None, [], 1)

    back = await hotel.must_set(stay, "confirmed")
    assert (back["total"], await hotel.free(double, 1, 3)) == (320.0, "sold_out")
    assert [name for name, _ in await published()] == ["reservation.created"]


async def test_cancellation_releases_nights_and_is_published_once(hotel, published):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 3, 2, room_id=double["rooms"][0]["id"])

    gone = await hotel.must_set(stay, "cancelled")
    again = await hotel.must_set(stay, "cancelled")

    assert again == gone
    assert (gone["cancelled_by"], gone["room_id"], await list_nights(stay)) == ("store", None, [])
    assert await hotel.free(double, 3, 2) == 1
    assert [name for name, _ in await published()] == ["reservation.created", "reservation.cancelled"]
    other = await hotel.stay(double, 4, 1)
    refused = await hotel.set(stay, "confirmed")
    assert (refused.status, refused["reason"]) == (409, "sold_out")
    await hotel.must_set(other, "cancelled")
    back = await hotel.must_set(stay, "confirmed")
    assert back["cancelled_by"] is None


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ([], ["checked_out"]),
        (["checked_in"], ["confirmed", "cancelled", "no_show"]),
        (["checked_in", "checked_out"], ["confirmed", "checked_in", "cancelled", "no_show"]),
        (["cancelled"], ["checked_in", "checked_out", "no_show"]),
        (["no_show"], ["checked_in", "checked_out", "cancelled"]),
    ],
)
async def test_invalid_transition_is_refused(hotel, published, path, refused):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double)
    for status in path:
        stay = await hotel.must_set(stay, status)
    before = await published()

    for status in refused:
        reply = await hotel.set(stay, status)
        assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "wrong_status")

    assert await hotel.look(stay) == stay == await hotel.must_set(stay, stay["status"])
    assert await published() == before
