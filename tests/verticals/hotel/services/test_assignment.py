"""Assignment of rooms."""

from comanda.platform.db import sql

from ..conftest import day, get_room_status, list_nights


async def test_check_in_chooses_an_inspected_room(hotel):
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


async def test_room_assigned_for_a_later_night_is_not_chosen(hotel):
    double = await hotel.room_type(rooms=2)
    await hotel.stay(double, 2, room_id=double["rooms"][0]["id"])

    assert (await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in"))["room_number"] == "102"
    assert (await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in"))["room_number"] == "101"


async def test_requested_room_must_be_clean_unless_allowed(hotel):
    double = await hotel.room_type(rooms=2)
    second = double["rooms"][1]
    await hotel.clean(second, "dirty")
    stay = await hotel.stay(double)

    refused = await hotel.set(stay, "checked_in", room_id=second["id"])
    assert (refused.status, refused["reason"]) == (409, "room_not_clean")
    assert await list_nights(stay) == []

    given = await hotel.must_set(stay, "checked_in", room_id=second["id"], allow_dirty=True)
    assert given["room_number"] == "102"
    assert await list_nights(stay) == [day(0)]


async def test_occupied_room_is_not_assigned(hotel, next_day):
    double = await hotel.room_type(rooms=1)
    room = double["rooms"][0]
    slow = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in")
    early = await hotel.stay(double, 1, 1, room_id=room["id"])
    next_day()

    refused = await hotel.set(early, "checked_in")
    assert (refused.status, refused["reason"]) == (409, "room_occupied")

    await hotel.must_set(slow, "checked_out")
    await hotel.must_set(early, "checked_in", allow_dirty=True)


async def test_moving_rooms_keeps_the_folio(hotel, next_day):
    double = await hotel.room_type(rooms=2)
    first, second = double["rooms"]
    stay = await hotel.must_set(await hotel.stay(double, 0, 3), "checked_in")
    next_day()

    moved = await hotel.give(stay, second)

    assert (moved["room_number"], moved["total"]) == ("102", 240.0)
    assert [await get_room_status(hotel, room) for room in (first, second)] == ["dirty", "clean"]
    rows = await sql.fetch("SELECT night, room_id FROM hotel_room_night WHERE stay_id = $1 ORDER BY night", stay["id"])
    assert [(row["night"].isoformat(), row["room_id"]) for row in rows] == [
        (day(0), first["id"]), (day(1), second["id"]), (day(2), second["id"])
    ]  # fmt: skip
    refused = await hotel.give(stay, None)
    assert (refused.status, refused["reason"]) == (409, "room_occupied")


async def test_upgrade_keeps_the_price_and_counts_as_its_type(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite", 1, first=201, base_price=200)
    stay = await hotel.stay(double, 0, 2)

    moved = await hotel.give(stay, suite["rooms"][0])

    assert (moved["room_type"], moved["room_number"], moved["total"]) == ("Suite", "201", 160.0)
    assert [await hotel.free(one) for one in (double, suite)] == [1, "sold_out"]


async def test_room_of_a_sold_out_type_is_not_assigned(hotel):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite", 1, first=201)
    await hotel.stay(suite, 1)
    stay = await hotel.stay(double, 0, 2)

    refused = await hotel.give(stay, suite["rooms"][0])

    assert (refused.status, refused["reason"]) == (409, "sold_out")
    assert (await hotel.look(stay))["room_id"] is None


async def test_unusable_or_taken_room_is_not_assigned(hotel):
    double = await hotel.room_type(rooms=3)
    taken, broken, _ = double["rooms"]
    await hotel.stay(double, 1, room_id=taken["id"])
    await hotel.clean(broken, "out_of_order")
    stay = await hotel.stay(double, 0, 2)

    assert (await hotel.give(stay, {"id": 987_654_321})).errors == {"room_id": ["This hotel has no room 987654321."]}
    assert (await hotel.give(stay, taken))["reason"] == "room_taken"
    assert (await hotel.give(stay, broken))["reason"] == "out_of_order"
    assert (await hotel.look(stay)) == stay
    gone = await hotel.must_set(stay, "cancelled")
    assert (await hotel.give(gone, taken))["reason"] == "stay_over"
