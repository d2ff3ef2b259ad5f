"""The address that platforms read: unguessable, tagged, limited, and silent about other owners."""

import pytest
from comanda.platform.db import sql
from comanda_hotel.routes import calendars


@pytest.fixture
async def path(hotel):
    room = (await hotel.room_type(rooms=1))["rooms"][0]
    made = await hotel.made(f"/rooms/{room['id']}/calendars", {"name": "Airbnb"})
    return made["address"].removeprefix("http://comanda.test")


async def test_unchanged_calendar_is_not_sent_again(hotel, client, path):
    first = await client.get(path)
    tag = first.headers["ETag"]

    again = await client.get(path, headers={"If-None-Match": tag})

    assert (first.status_code, first.content_type) == (200, "text/calendar; charset=utf-8")
    assert first.headers["Cache-Control"] == "private, max-age=60"
    assert (again.status_code, again.headers["ETag"], await again.get_data()) == (304, tag, b"")
    (room,) = (await hotel.get("/rooms"))["data"]
    await hotel.stay({"id": room["room_type_id"]}, 1)
    assert (await client.get(path, headers={"If-None-Match": tag})).status_code == 200


async def test_address_is_long_and_unguessable(client, path):
    token = path.removeprefix("/room-calendars/").removesuffix(".ics")

    assert len(token) >= 33
    for wrong in (
        token[:-1],
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        "x",
        "é" * 40,
        "0" * 300,
        token.swapcase(),
    ):
        assert (await client.get(f"/room-calendars/{wrong}.ics")).status_code == 404


async def test_suspended_owner_has_no_calendar(client, owner, path):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await client.get(path)).status_code == 404


async def test_one_calendar_is_read_so_often_a_minute(client, path, monkeypatch):
    monkeypatch.setattr(calendars, "READS_PER_MINUTE", 2)

    statuses = [(await client.get(path)).status_code for _ in range(4)]

    assert statuses[:2] == [200, 200]
    assert statuses[-1] == 429


async def test_calendars_of_another_owner_are_not_there(hotel, other_owner, path):
    (room,) = (await hotel.get("/rooms"))["data"]
    (calendar,) = (await hotel.get(f"/rooms/{room['id']}/calendars")).document
    base = f"/api/v1/restaurants/{hotel.id}/rooms/{room['id']}/calendars"
    one = f"{base}/{calendar['id']}"

    for method, asked in (
        ("GET", base), ("POST", base), ("GET", one), ("PUT", one), ("DELETE", one), ("POST", f"{one}/read"),
        ("POST", f"{one}/address"), ("GET", f"/api/v1/restaurants/{hotel.id}/foreign-bookings"),
    ):  # fmt: skip
        body = {"json": {"name": "Stolen"}} if method in {"POST", "PUT"} else {}
        response = await hotel.client.open(asked, method=method, headers=other_owner.auth, **body)
        assert response.status_code == 404, asked
    assert (await hotel.get(f"/rooms/{room['id']}/calendars")).document == [calendar]
