"""Rooms, housekeeping and nights out of order in the dashboard."""

import pytest
from comanda.devkit.testing import sign_in

from ..conftest import day, get_room_status


@pytest.fixture
def path(hotel):
    return f"/stores/{hotel.id}/rooms"


async def test_a_room_is_created_changed_and_deleted(hotel, dashboard, path):
    assert "No room types yet" in await dashboard.get(f"{path}/new")
    double = await hotel.room_type()
    assert "No rooms yet" in await dashboard.get(path)
    fields = {"number": "101", "room_type_id": str(double["id"]), "floor": "1"}

    await dashboard.post(f"{path}/new", fields)
    twice = await dashboard.post(f"{path}/new", fields, status=422)
    [room] = (await hotel.get("/rooms"))["data"]
    one = f"{path}/{room['id']}"
    await dashboard.post(one, {**fields, "number": "111", "floor": "", "is_active": "false"})
    changed = (await hotel.get(f"/rooms/{room['id']}")).document

    assert "This hotel already has a room 101." in twice
    assert (changed["number"], changed["floor"], changed["is_active"]) == ("111", None, False)
    assert "Not in use" in await dashboard.get(path)
    assert "This hotel has no room type 999." in await dashboard.post(
        one, {**fields, "room_type_id": "999"}, status=422
    )
    assert await dashboard.post(f"{one}/delete") == path
    assert (await hotel.get("/rooms"))["total"] == 0
    await dashboard.get(one, status=404)


async def test_a_room_with_stays_is_not_deleted(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 0, 1, room_id=double["rooms"][0]["id"])

    await dashboard.post(f"{path}/{double['rooms'][0]['id']}/delete")

    assert (await hotel.get("/rooms"))["total"] == 1


async def test_housekeeping_sets_the_status_of_rooms(hotel, dashboard, path):
    double = await hotel.room_type(rooms=2)
    room = double["rooms"][0]
    one = f"{path}/{room['id']}"

    assert await dashboard.post(f"{one}/status", {"status": "dirty"}) == one
    dirty = await dashboard.get(f"{path}?status=dirty")
    back = await dashboard.post(f"{one}/status", {"status": "clean", "_shown": "dirty"})
    to_all = await dashboard.post(f"{one}/status", {"status": "nonsense", "_shown": ""})

    assert (f'rooms/{room["id"]}">101' in dirty, '">102' in dirty) == (True, False)
    assert (back, to_all) == (f"{path}?status=dirty", path)
    assert await get_room_status(hotel, room) == "clean"
    assert "No rooms with this status" in await dashboard.get(f"{path}?status=dirty")
    assert "102" in await dashboard.get(f"{path}?status=nonsense")


async def test_an_occupied_room_is_not_taken_out_of_order(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in")
    one = f"{path}/{double['rooms'][0]['id']}"

    await dashboard.post(f"{one}/status", {"status": "out_of_order"})

    assert await get_room_status(hotel, double["rooms"][0]) == "clean"
    assert f"/stays/{stay['id']}" in await dashboard.get(one)
    assert "Occupied" in await dashboard.get(path)


async def test_a_room_is_out_of_order_on_some_nights(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    one = f"{path}/{double['rooms'][0]['id']}"
    fields = {"from": day(3), "to": day(5), "reason": "Painting"}

    await dashboard.post(f"{one}/blocks", fields)
    again = await dashboard.post(f"{one}/blocks", fields, status=422)
    wrong = await dashboard.post(f"{one}/blocks", {**fields, "from": day(-3)}, status=422)
    free = await hotel.free(double, 3, 1)
    [block] = (await hotel.get(f"/rooms/{double['rooms'][0]['id']}/blocks"))["data"]
    page = await dashboard.get(one)
    await dashboard.post(f"{one}/blocks/{block['id']}/delete")

    assert f"Room 101 is taken on {day(3)}." in again
    assert "Must not be in the past." in wrong
    assert free == "out_of_order"
    assert "Painting" in page
    assert "The room is in order on all nights." in await dashboard.get(one)


async def test_readers_see_rooms_and_change_none(app, owner, hotel, path):
    double = await hotel.room_type(rooms=1)
    reader = await sign_in(app, owner.id, scopes={"restaurants:read"})

    page = await reader.get(path)
    one = await reader.get(f"{path}/{double['rooms'][0]['id']}")
    await reader.post(f"{path}/{double['rooms'][0]['id']}/status", {"status": "dirty"}, status=403)

    assert "New room" not in page
    assert "Delete room" not in one
    assert await get_room_status(hotel, double["rooms"][0]) == "clean"
