"""The calendars of a room: created, changed, renewed, read now and deleted."""

import pytest
from comanda.platform.db import sql

from ...calendar_platform import Platform, event
from ...conftest import day


@pytest.fixture
async def double(hotel):
    return await hotel.room_type(rooms=1)


@pytest.fixture
async def airbnb(hotel, double, monkeypatch):
    return await Platform(hotel, monkeypatch).connect(double["rooms"][0])


async def test_room_has_five_calendars_at_most(hotel, double):
    path = f"/rooms/{double['rooms'][0]['id']}/calendars"
    for number in range(5):
        await hotel.made(path, {"name": f"Platform {number}"})

    refused = await hotel.send("POST", path, {"name": "One more"})

    assert (refused.status, refused["limits"]) == (409, {"calendars": 5})
    assert len((await hotel.get(path)).document) == 5


@pytest.mark.parametrize(
    "url",
    ["http://calendars.example/a.ics", "https://10.0.0.1/a.ics", "https://intranet/a.ics", "ftp://a.example/a",
     "webcal://calendars.example/a.ics", "https://u:p@a.example/a.ics", "x"],
)  # fmt: skip
async def test_only_public_addresses_are_taken(hotel, double, url):
    path = f"/rooms/{double['rooms'][0]['id']}/calendars"

    refused = await hotel.send("POST", path, {"name": "Airbnb", "url": url})

    assert (refused.status, list(refused["errors"])) == (422, ["url"])
    assert (await hotel.get(path)).document == []


async def test_other_address_forgets_what_was_read(hotel, double, airbnb):
    await airbnb.publish(event("a", 2, 4))
    one = f"{airbnb.path}/{airbnb.id}"

    kept = await hotel.send("PUT", one, {"name": "Airbnb, old", "url": airbnb.url})
    assert (kept["name"], kept["bookings_count"]) == ("Airbnb, old", 1)
    changed = await hotel.send("PUT", one, {"url": "https://calendars.example/other.ics"})

    assert (changed["bookings_count"], changed["read_at"]) == (0, None)
    assert await hotel.free(double, 2) == 1


async def test_renewed_address_ends_the_one_before(hotel, airbnb):
    before = (await airbnb.look())["address"]

    renewed = await hotel.send("POST", f"{airbnb.path}/{airbnb.id}/address")

    statuses = [
        (await hotel.client.get(address.removeprefix("http://comanda.test"))).status_code
        for address in (before, renewed["address"])
    ]
    assert (renewed.status, statuses) == (200, [404, 200])


async def test_calendar_is_read_now_once_a_minute(hotel, airbnb, clock):
    one = f"{airbnb.path}/{airbnb.id}"
    await airbnb.publish()
    refused = await hotel.send("POST", f"{one}/read")
    clock.advance(minutes=1)

    accepted = await hotel.send("POST", f"{one}/read")

    assert (refused.status, refused["reason"]) == (409, "read_just_now")
    assert accepted.status == 200
    await hotel.send("PUT", one, {"url": None})
    without = await hotel.send("POST", f"{one}/read")
    assert (without.status, without["reason"]) == (409, "no_url")


async def test_deleted_calendar_frees_its_nights(hotel, double, airbnb):
    await airbnb.publish(event("a", 2, 4))

    assert (await hotel.send("DELETE", f"{airbnb.path}/{airbnb.id}")).status == 204

    assert await hotel.free(double, 2) == 1
    assert (await hotel.send("DELETE", f"{airbnb.path}/{airbnb.id}")).status == 404


async def test_room_that_is_sold_elsewhere_stays_for_sale(hotel, double, airbnb):
    room = double["rooms"][0]
    await airbnb.publish(event("a", 2, 4))

    refused = await hotel.send("PUT", f"/rooms/{room['id']}", {"is_active": False})

    assert (refused.status, refused["reason"]) == (409, "room_taken")
    assert (await hotel.send("DELETE", f"/rooms/{room['id']}")).status == 409
    await airbnb.publish()
    assert (await hotel.send("DELETE", f"/rooms/{room['id']}")).status == 204
    assert await sql.fetch_value("SELECT count(*) FROM hotel_room_calendar WHERE id = $1", airbnb.id) == 0


async def test_block_and_assignment_respect_foreign_nights(hotel, double, airbnb):
    room = double["rooms"][0]
    await airbnb.publish(event("a", 2, 4))
    stay = await hotel.stay(double, 0, 2)

    block = await hotel.send("POST", f"/rooms/{room['id']}/blocks", {"from": day(3), "to": day(5)})
    longer = await hotel.change(stay, check_out=day(3))

    assert (block.status, block["reason"]) == (409, "room_taken")
    assert (longer.status, longer["reason"]) == (409, "sold_out")


async def test_occupancy_names_the_platform(hotel, airbnb):
    await airbnb.publish(event("a", 2, 4), event("b", 4, 5))

    (shown,) = (await hotel.get(f"/occupancy?from={day(0)}&to={day(9)}"))["data"]

    (nights,) = shown["nights"]
    assert (nights["from"], nights["to"], nights["calendar"]) == (day(2), day(5), "Airbnb")
