"""The front desk: guests arrive, move, leave early, never come; who is where on which day."""

import pytest
from comanda.db import sql
from comanda_hotel.services import holds

from .conftest import day


async def nights(stay):
    rows = await sql.fetch("SELECT night FROM hotel_room_night WHERE stay_id = $1 ORDER BY night", stay["id"])
    return [row["night"].isoformat() for row in rows]


async def status_of(hotel, room):
    return (await hotel.get(f"/rooms/{room['id']}"))["status"]


async def test_guests_get_the_best_room_that_is_free_and_ready(hotel):
    double = await hotel.room_type(rooms=4)
    first, _, third, fourth = double["rooms"]
    await hotel.clean(first, "dirty")
    await hotel.clean(third, "inspected")
    await hotel.clean(fourth, "out_of_order")

    stays = [await hotel.must_set(await hotel.stay(double), "checked_in") for _ in range(2)]
    third_party = await hotel.stay(double)
    refused = await hotel.set(third_party, "checked_in")

    assert [stay["room_number"] for stay in stays] == ["103", "102"]
    assert (refused.status, refused["reason"]) == (409, "no_clean_room")
    assert (await hotel.look(third_party))["status"] == "confirmed"
    await hotel.clean(first)
    assert (await hotel.must_set(third_party, "checked_in"))["room_number"] == "101"


async def test_a_room_that_is_promised_to_others_for_a_later_night_is_not_given(hotel):
    double = await hotel.room_type(rooms=2)
    await hotel.stay(double, 2, room_id=double["rooms"][0]["id"])

    assert (await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in"))["room_number"] == "102"
    assert (await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in"))["room_number"] == "101"


async def test_a_room_that_is_named_is_given_if_it_is_clean_or_the_desk_insists(hotel):
    double = await hotel.room_type(rooms=2)
    second = double["rooms"][1]
    await hotel.clean(second, "dirty")
    stay = await hotel.stay(double)

    refused = await hotel.set(stay, "checked_in", room_id=second["id"])
    assert (refused.status, refused["reason"]) == (409, "room_not_clean")
    assert await nights(stay) == []

    given = await hotel.must_set(stay, "checked_in", room_id=second["id"], allow_dirty=True)
    assert given["room_number"] == "102"
    assert await nights(stay) == [day(0)]


async def test_nobody_arrives_before_their_day_or_after_their_last_night(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 1, 2)
    assert (await hotel.set(stay, "checked_in"))["reason"] == "too_early"
    assert (await hotel.set(stay, "no_show"))["reason"] == "too_early"

    next_day(3)

    assert (await hotel.set(stay, "checked_in"))["reason"] == "stay_over"
    assert (await hotel.look(stay))["status"] == "confirmed"


async def test_guests_who_come_a_day_late_get_a_room_that_was_slept_in_until_today(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]
    earlier = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in", room_id=room["id"])
    late = await hotel.stay(double, 0, 3)
    next_day()
    await hotel.must_set(earlier, "checked_out")
    await hotel.clean(room)

    arrived = await hotel.must_set(late, "checked_in", room_id=room["id"])

    assert arrived["room_number"] == "101"
    assert await nights(late) == [day(1), day(2)]


async def test_a_room_whose_guests_are_still_there_is_not_given(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    room = double["rooms"][0]
    slow = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in")
    early = await hotel.stay(double, 1, 1, room_id=room["id"])
    next_day()

    refused = await hotel.set(early, "checked_in")
    assert (refused.status, refused["reason"]) == (409, "room_occupied")

    await hotel.must_set(slow, "checked_out")
    await hotel.must_set(early, "checked_in", allow_dirty=True)


async def test_who_leaves_early_frees_the_nights_at_once_and_pays_for_those_slept(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 5), "checked_in")
    next_day(2)
    assert await hotel.free(double, 2, 3) == "sold_out"

    left = await hotel.must_set(stay, "checked_out")

    assert (left["departed_on"], left["check_out"], left["total"]) == (day(2), day(5), 160.0)
    assert left["nightly"] == [{"date": day(0), "price": 80.0}, {"date": day(1), "price": 80.0}]
    assert await nights(stay) == [day(0), day(1)]
    assert await hotel.free(double, 2, 3) == 1
    assert await status_of(hotel, double["rooms"][0]) == "dirty"
    (listed,) = (await hotel.get("/reservations"))["data"]
    assert (listed["status"], listed["ends_at"]) == ("checked_out", f"{day(2)}T11:00:00+00:00")


async def test_unused_nights_are_charged_when_the_hotel_says_so_and_the_first_always(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    strict = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")
    same_day = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")

    assert (await hotel.must_set(same_day, "checked_out"))["total"] == 80.0
    assert (await hotel.must_set(strict, "checked_out", charge_unused_nights=True))["total"] == 240.0


async def test_who_never_came_frees_the_rest_at_once_and_may_come_after_all(hotel, next_day, published):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 0, 4, room_id=double["rooms"][0]["id"])
    next_day()

    gone = await hotel.must_set(stay, "no_show")
    assert (gone["room_id"], await nights(stay), await hotel.free(double, 1, 3)) == (None, [], 1)

    back = await hotel.must_set(stay, "confirmed")
    assert (back["total"], await hotel.free(double, 1, 3)) == (320.0, "sold_out")
    assert [name for name, _ in await published()] == ["reservation.created"]


async def test_a_cancelled_stay_frees_its_nights_and_is_announced_once(hotel, published):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 3, 2, room_id=double["rooms"][0]["id"])

    gone = await hotel.must_set(stay, "cancelled")
    again = await hotel.must_set(stay, "cancelled")

    assert again == gone
    assert (gone["cancelled_by"], gone["room_id"], await nights(stay)) == ("store", None, [])
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
async def test_what_cannot_follow_is_refused_and_the_same_again_is_harmless(hotel, published, path, refused):
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


async def test_a_hold_is_confirmed_or_cancelled_but_does_not_arrive(hotel):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, status="optional")

    for status in ("checked_in", "no_show"):
        assert (await hotel.set(stay, status))["reason"] == "wrong_status"
    confirmed = await hotel.must_set(stay, "confirmed")

    assert confirmed["expires_at"] is None
    assert (await hotel.get("/reservations"))["data"][0]["status"] == "confirmed"


async def test_holds_whose_time_is_over_are_called_off_and_announced(hotel, clock, published):
    double = await hotel.room_type(rooms=3)
    due = await hotel.stay(double, 5, status="optional", room_id=double["rooms"][0]["id"])
    later = await hotel.stay(double, 5, status="optional", expires_at="2027-03-20T00:00:00Z")
    clock.advance(days=2)

    await holds.expire_holds()

    gone = await hotel.look(due)
    assert (gone["status"], gone["cancelled_by"], gone["room_id"]) == ("cancelled", "system", None)
    assert await nights(due) == []
    assert (await hotel.look(later))["status"] == "optional"
    cancelled = [data["reservation_id"] for name, data in await published() if name == "reservation.cancelled"]
    assert cancelled == [due["reservation_id"]]
    assert await holds.expire_holds() == 0


async def test_guests_move_to_another_room_with_their_folio(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    first, second = double["rooms"]
    stay = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")
    next_day()

    moved = await hotel.give(stay, second)

    assert (moved["room_number"], moved["total"]) == ("102", 240.0)
    assert [await status_of(hotel, room) for room in (first, second)] == ["dirty", "clean"]
    rows = await sql.fetch("SELECT night, room_id FROM hotel_room_night WHERE stay_id = $1 ORDER BY night", stay["id"])
    assert [(row["night"].isoformat(), row["room_id"]) for row in rows] == [
        (day(0), first["id"]), (day(1), second["id"]), (day(2), second["id"])
    ]  # fmt: skip
    refused = await hotel.give(stay, None)
    assert (refused.status, refused["reason"]) == (409, "room_occupied")


async def test_a_better_room_is_given_at_the_price_agreed_and_counts_as_one_of_its_type(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite", 1, first=201, base_price=200)
    stay = await hotel.stay(double, 0, 2)

    moved = await hotel.give(stay, suite["rooms"][0])

    assert (moved["room_type"], moved["room_number"], moved["total"]) == ("Suite", "201", 160.0)
    assert [await hotel.free(one) for one in (double, suite)] == [1, "sold_out"]


async def test_a_room_of_a_type_that_is_full_is_not_given(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite", 1, first=201)
    await hotel.stay(suite, 1)
    stay = await hotel.stay(double, 0, 2)

    refused = await hotel.give(stay, suite["rooms"][0])

    assert (refused.status, refused["reason"]) == (409, "sold_out")
    assert (await hotel.look(stay))["room_id"] is None


async def test_a_room_that_is_not_there_or_not_usable_or_taken_is_not_given(hotel):
    double = await hotel.room_type(rooms=3)
    taken, broken, _ = double["rooms"]
    await hotel.stay(double, 1, room_id=taken["id"])
    await hotel.clean(broken, "out_of_order")
    stay = await hotel.stay(double, 0, 2)

    assert (await hotel.give(stay, {"id": 1})).errors == {"room_id": ["This hotel has no room 1."]}
    assert (await hotel.give(stay, taken))["reason"] == "room_taken"
    assert (await hotel.give(stay, broken))["reason"] == "out_of_order"
    assert (await hotel.look(stay)) == stay
    gone = await hotel.must_set(stay, "cancelled")
    assert (await hotel.give(gone, taken))["reason"] == "stay_over"


async def test_the_boards_of_a_day(hotel, next_day):
    double = await hotel.room_type(rooms=9)
    ada = await hotel.must_set(await hotel.stay(double, 0, 1, guest_name="Ada Costa"), "checked_in")
    bo = await hotel.must_set(await hotel.stay(double, 0, 4, guest_name="Bo Lind", phone="0700 55%"), "checked_in")
    cy = await hotel.stay(double, 1, 2, guest_name="Cy Ott", email="cy@example.com")
    di = await hotel.must_set(await hotel.stay(double, 1, 2, guest_name="Di Wu"), "cancelled")
    next_day()
    await hotel.must_set(bo, "checked_out")

    async def listed(query):
        return [stay["guest_name"] for stay in (await hotel.get(f"/stays?{query}"))["data"]]

    assert await listed(f"arrivals_on={day(1)}") == ["Cy Ott"]
    assert await listed(f"arrivals_on={day(1)}&status=cancelled") == ["Di Wu"]
    assert await listed(f"departures_on={day(1)}") == ["Bo Lind", "Ada Costa"]
    assert await listed(f"departures_on={day(4)}") == []
    assert await listed("in_house=true") == ["Ada Costa"]
    assert await listed("in_house=false") == ["Di Wu", "Cy Ott", "Bo Lind"]
    assert await listed("status=confirmed") == ["Cy Ott"]
    assert await listed("search=cost") == ["Ada Costa"]
    assert await listed("search=55%25") == ["Bo Lind"]
    assert await listed("search=%25") == ["Bo Lind"]
    assert await listed("search=_") == []
    assert await listed("search=CY@") == ["Cy Ott"]
    assert await listed("search=101") == ["Ada Costa"]
    whole = await hotel.get("/stays?per_page=2")
    assert ([stay["id"] for stay in whole["data"]], whole["total"]) == ([di["id"], cy["id"]], 4)
    assert ada["room_number"] == "101"
    for query in ("status=x", "arrivals_on=x", "in_house=x"):
        assert (await hotel.send("GET", f"/stays?{query}")).status == 422
