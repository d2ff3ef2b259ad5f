"""Rooms."""

from ..conftest import day


async def test_room_number_is_unique_in_the_store(hotel, owner, client):
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


async def test_room_type_of_another_hotel_is_refused(hotel, owner, client):
    branch = type(hotel)(client, owner, await owner.store("hotel"))
    theirs = await branch.room_type()
    mine = await hotel.room_type(rooms=1)

    for reply in (
        await hotel.send("POST", "/rooms", {"number": "1", "room_type_id": theirs["id"]}),
        await hotel.send("PUT", f"/rooms/{mine['rooms'][0]['id']}", {"room_type_id": theirs["id"]}),
    ):
        assert reply.errors == {"room_type_id": [f"This hotel has no room type {theirs['id']}."]}


async def test_assigned_room_keeps_its_type_and_stays_active(hotel):
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


async def test_room_needed_by_unassigned_stays_stays_active(hotel):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite")
    room = f"/rooms/{double['rooms'][0]['id']}"
    stays = [await hotel.stay(double, 3, 2) for _ in range(2)]

    for method, change in (("PUT", {"is_active": False}), ("PUT", {"room_type_id": suite["id"]}), ("DELETE", None)):
        refused = await hotel.send(method, room, change)
        assert (refused.status, refused["reason"]) == (409, "sold_out")
        assert refused["message"] == f"Double is sold out on {day(3)}, so it needs this room."

    await hotel.must_set(stays[0], "cancelled")
    assert (await hotel.send("PUT", room, {"room_type_id": suite["id"]})).status == 200


async def test_occupied_room_cannot_be_out_of_order(hotel):
    double = await hotel.room_type(rooms=1)
    room = double["rooms"][0]
    stay = await hotel.must_set(await hotel.stay(double), "checked_in")

    refused = await hotel.clean(room, "out_of_order")

    assert (refused.status, refused["reason"]) == (409, "room_occupied")
    shown = (await hotel.get(f"/rooms/{room['id']}")).document
    assert (shown["status"], shown["stay_id"]) == ("clean", stay["id"])
