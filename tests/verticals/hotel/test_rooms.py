"""Room types, rooms, how they are, and blocks."""

import pytest
from comanda.db import sql

from .conftest import day


async def test_a_room_type_with_its_defaults(hotel):
    made = await hotel.made("/room-types", {"name": "Double", "base_price": 80.5, "max_adults": 2})

    assert made == {
        "id": made["id"], "name": "Double", "description": None, "max_adults": 2, "max_children": 0, "base_adults": 2,
        "base_price": 80.5, "extra_adult_price": 0.0, "currency": "EUR", "min_stay": 1, "overbooking_allowance": 0,
        "position": 0, "is_active": True, "rooms_count": 0,
    }  # fmt: skip
    assert (await hotel.get(f"/room-types/{made['id']}")).document == made


async def test_types_are_listed_in_their_order_with_the_rooms_in_use(hotel):
    late = await hotel.room_type("Suite", 2, position=2)
    early = await hotel.room_type("Single", 1, first=201, position=1)
    await hotel.send("PUT", f"/rooms/{late['rooms'][0]['id']}", {"is_active": False})

    listed = await hotel.get("/room-types")

    assert [(one["id"], one["rooms_count"]) for one in listed["data"]] == [(early["id"], 1), (late["id"], 1)]
    assert (listed["total"], listed["per_page"]) == (2, 20)


async def test_a_type_changes_only_in_what_is_named(hotel):
    made = await hotel.room_type(description="Quiet")

    changed = await hotel.send("PUT", f"/room-types/{made['id']}", {"max_adults": 4, "description": None})
    refused = await hotel.send("PUT", f"/room-types/{made['id']}", {"max_adults": 1})

    made.pop("rooms")
    assert changed.document == {**made, "max_adults": 4, "description": None}
    assert refused.errors == {"base_adults": ["The price cannot include 2 adults where 1 may stay."]}
    assert (await hotel.get(f"/room-types/{made['id']}")).document == changed.document


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"base_price": -1}, "base_price"), ({"base_price": 0.001}, "base_price"), ({"max_adults": 0}, "max_adults"),
        ({"base_adults": 3}, "base_adults"), ({"min_stay": 31}, "min_stay"), ({"min_stay": 0}, "min_stay"),
        ({"overbooking_allowance": -1}, "overbooking_allowance"), ({"extra_adult_price": 1e11}, "extra_adult_price"),
    ],
)  # fmt: skip
async def test_a_type_that_makes_no_sense_is_refused(hotel, fields, field):
    reply = await hotel.send("POST", "/room-types", {"name": "Double", "base_price": 80, "max_adults": 2, **fields})

    assert list(reply.errors) == [field]
    assert (await hotel.get("/room-types"))["total"] == 0


async def test_a_type_is_deleted_with_its_rates_but_not_while_it_has_rooms_or_was_booked(hotel):
    double = await hotel.room_type(rooms=1)
    path, room = f"/room-types/{double['id']}", double["rooms"][0]["id"]
    await hotel.send("PUT", f"{path}/rates", {"weekdays": {"friday": 99}})

    refused = await hotel.send("DELETE", path)
    assert (refused.status, refused["reason"], refused["rooms_count"]) == (409, "has_rooms", 1)

    stay = await hotel.stay(double)
    await hotel.must_set(stay, "cancelled")
    assert (await hotel.send("DELETE", f"/rooms/{room}")).status == 204
    assert (await hotel.send("DELETE", path))["reason"] == "has_stays"

    other = await hotel.room_type("Other")
    assert (await hotel.send("DELETE", f"/room-types/{other['id']}")).status == 204
    assert (await hotel.send("GET", f"/room-types/{other['id']}")).status == 404


async def test_a_room_and_its_number_which_nobody_else_has(hotel, owner, client):
    double = await hotel.room_type()
    made = await hotel.room(double, 12, floor=1)

    assert made == {
        "id": made["id"], "number": "12", "floor": "1", "room_type_id": double["id"], "room_type": "Double",
        "status": "clean", "is_active": True, "stay_id": None,
    }  # fmt: skip
    again = await hotel.send("POST", "/rooms", {"number": "12", "room_type_id": double["id"]})
    assert again.errors == {"number": ["This hotel already has a room 12."]}
    other = await hotel.room(double, "13")
    assert (await hotel.send("PUT", f"/rooms/{other['id']}", {"number": "12"})).errors.keys() == {"number"}
    branch = type(hotel)(client, owner, await owner.store("hotel"))
    await branch.room(await branch.room_type(), "12")


async def test_rooms_are_listed_by_number_and_filtered(hotel):
    double, single = await hotel.room_type(), await hotel.room_type("Single")
    for of, number, status in ((double, "9", "dirty"), (double, "10", "clean"), (single, "8", "dirty")):
        await hotel.room(of, number, status=status)

    async def numbers(query=""):
        return [room["number"] for room in (await hotel.get(f"/rooms{query}"))["data"]]

    assert await numbers() == ["8", "9", "10"]
    assert await numbers("?status=dirty") == ["8", "9"]
    assert await numbers(f"?status=dirty&room_type={double['id']}") == ["9"]
    assert (await hotel.send("GET", "/rooms?status=x")).errors.keys() == {"status"}


async def test_a_room_of_another_hotels_type_is_refused(hotel, owner, client):
    branch = type(hotel)(client, owner, await owner.store("hotel"))
    theirs = await branch.room_type()
    mine = await hotel.room_type(rooms=1)

    for reply in (
        await hotel.send("POST", "/rooms", {"number": "1", "room_type_id": theirs["id"]}),
        await hotel.send("PUT", f"/rooms/{mine['rooms'][0]['id']}", {"room_type_id": theirs["id"]}),
    ):
        assert reply.errors == {"room_type_id": [f"This hotel has no room type {theirs['id']}."]}


async def test_a_room_that_was_promised_keeps_its_type_and_stays_in_use(hotel):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite")
    room = double["rooms"][0]
    stay = await hotel.stay(double, 3, room_id=room["id"])

    for change in ({"is_active": False}, {"room_type_id": suite["id"]}):
        refused = await hotel.send("PUT", f"/rooms/{room['id']}", change)
        assert (refused.status, refused["reason"]) == (409, "room_taken")
    assert (await hotel.send("DELETE", f"/rooms/{room['id']}"))["reason"] == "has_stays"

    assert (await hotel.send("PUT", f"/rooms/{room['id']}", {"number": "1A", "floor": "1"})).status == 200
    await hotel.give(stay, None)
    assert (await hotel.send("PUT", f"/rooms/{room['id']}", {"room_type_id": suite["id"]})).status == 200


async def test_a_room_that_stays_without_a_room_need_stays_in_use(hotel):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite")
    room = f"/rooms/{double['rooms'][0]['id']}"
    stays = [await hotel.stay(double, 3, 2) for _ in range(2)]

    for method, change in (("PUT", {"is_active": False}), ("PUT", {"room_type_id": suite["id"]}), ("DELETE", None)):
        refused = await hotel.send(method, room, change)
        assert (refused.status, refused["reason"]) == (409, "sold_out")
        assert refused["message"] == f"Double is sold out on {day(3)}, so it needs this room."

    await hotel.must_set(stays[0], "cancelled")
    assert (await hotel.send("PUT", room, {"room_type_id": suite["id"]})).status == 200


async def test_a_room_with_guests_in_it_cannot_be_out_of_order(hotel):
    double = await hotel.room_type(rooms=1)
    room = double["rooms"][0]
    stay = await hotel.must_set(await hotel.stay(double), "checked_in")

    refused = await hotel.clean(room, "out_of_order")

    assert (refused.status, refused["reason"]) == (409, "room_occupied")
    shown = (await hotel.get(f"/rooms/{room['id']}")).document
    assert (shown["status"], shown["stay_id"]) == ("clean", stay["id"])


async def test_a_block_takes_nights_away_until_it_is_deleted(hotel):
    double = await hotel.room_type(rooms=1)
    path = f"/rooms/{double['rooms'][0]['id']}/blocks"

    made = await hotel.made(path, {"from": day(2), "to": day(4), "reason": "Painting"})

    assert made == {**made, "from": day(2), "to": day(4), "reason": "Painting", "room_id": double["rooms"][0]["id"]}
    assert (await hotel.get(path))["data"] == [made]
    assert [await hotel.free(double, offset) for offset in (1, 2, 3, 4)] == [1, "out_of_order", "out_of_order", 1]
    assert (await hotel.send("DELETE", f"{path}/{made['id']}")).status == 204
    assert await hotel.free(double, 1, 4) == 1
    assert (await hotel.send("DELETE", f"{path}/{made['id']}")).status == 404


async def test_a_night_that_somebody_has_cannot_be_blocked(hotel, owner):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]
    await hotel.stay(double, 2, 2, room_id=room["id"])
    path = f"/rooms/{room['id']}/blocks"

    taken = await hotel.send("POST", path, {"from": day(1), "to": day(3)})
    assert (taken.status, taken["reason"]) == (409, "room_taken")
    await hotel.made(path, {"from": day(4), "to": day(6)})
    assert (await hotel.send("POST", path, {"from": day(5), "to": day(7)})).status == 409

    assert await sql.fetch_value("SELECT count(*) FROM hotel_room_block WHERE owner_id = $1", owner.id) == 1
    assert (await hotel.book(double, 3, 2, room_id=room["id"]))["reason"] == "room_taken"


@pytest.mark.parametrize(
    ("since", "until", "field"), [(0, 0, "to"), (2, 1, "to"), (-1, 1, "from"), (0, 367, "to"), (731, 732, "from")]
)
async def test_a_block_that_makes_no_sense_is_refused(hotel, since, until, field):
    double = await hotel.room_type(rooms=1)

    reply = await hotel.send(
        "POST", f"/rooms/{double['rooms'][0]['id']}/blocks", {"from": day(since), "to": day(until)}
    )

    assert list(reply.errors) == [field]
