"""The calendars of a room in the dashboard, and the conflicts that the front desk sees."""

import pytest

from ..calendar_platform import Platform, event
from ..conftest import day


@pytest.fixture
async def room(hotel):
    return (await hotel.room_type(rooms=1))["rooms"][0]


@pytest.fixture
def path(hotel, room):
    return f"/stores/{hotel.id}/rooms/{room['id']}/calendars"


async def test_a_calendar_is_added_changed_renewed_and_deleted(hotel, dashboard, room, path, client):
    assert f"/dashboard{path}" in await dashboard.get(path.removesuffix("/calendars"))
    assert "This room is sold here only." in await dashboard.get(path)
    refused = await dashboard.post(path, {"name": "Airbnb", "url": "http://calendars.example/a"}, status=422)
    assert "The URL must begin with https://." in refused

    one = await dashboard.post(path, {"name": "Airbnb", "url": ""})
    [calendar] = (await hotel.get(f"/rooms/{room['id']}/calendars")).document
    assert calendar["address"] in await dashboard.get(one)
    await dashboard.post(one, {"name": "Airbnb", "url": "https://calendars.example/a.ics"})
    await dashboard.post(f"{one}/address")

    [changed] = (await hotel.get(f"/rooms/{room['id']}/calendars")).document
    assert (changed["url"], changed["address"] != calendar["address"]) == ("https://calendars.example/a.ics", True)
    assert "Not read yet" in await dashboard.get(path)
    assert await dashboard.post(f"{one}/read") == one
    assert await dashboard.post(f"{one}/delete") == path
    await dashboard.get(one, status=404)


async def test_a_failure_and_entries_that_were_not_read_are_shown(hotel, dashboard, room, path, monkeypatch):
    airbnb = await Platform(hotel, monkeypatch).connect(room)
    await airbnb.publish(event("a", 2, 4), event("b", 6, 5))
    page = await dashboard.get(f"{path}/{airbnb.id}")
    assert "1 entry was not read" in page
    assert "Room held" in page

    airbnb.serve_bytes(b"<html></html>")
    await airbnb.read()

    assert "What is at this address is no calendar." in await dashboard.get(f"{path}/{airbnb.id}")
    assert "Cannot be read" in await dashboard.get(path)


async def test_a_conflict_is_shown_to_the_front_desk(hotel, dashboard, room, path, monkeypatch):
    conflicts = f"/stores/{hotel.id}/rooms/conflicts"
    assert "No conflicts" in await dashboard.get(conflicts)
    await hotel.stay({"id": room["room_type_id"]}, 3, 1, room_id=room["id"])
    airbnb = await Platform(hotel, monkeypatch).connect(room)

    await airbnb.publish(event("a", 2, 5))

    listed = await dashboard.get(conflicts)
    assert "Airbnb" in listed
    assert f"stays?from={day(3)}" in listed
    grid = await dashboard.get(f"/stores/{hotel.id}/stays")
    assert "1 booking of another platform has no room" in grid
    assert "Airbnb" in grid
    assert "1 booking of another platform has no room" in await dashboard.get(f"/stores/{hotel.id}")
