"""Reading calendars: what fails changes nothing and is shown, and no network of this machine is reached."""

import asyncio

import pytest
from aiohttp import web
from comanda.devkit.testing.tasks import process_queue
from comanda.platform.db import sql
from comanda.platform.http_client import AllowedTargets, DocumentClient
from comanda_hotel.services.calendars import platform_calendars

from ...calendar_platform import Platform, event, to_calendar

LOOPBACK = AllowedTargets.parse(["127.0.0.0/8"], with_any_name=False)


@pytest.fixture
async def airbnb(hotel, monkeypatch):
    return await Platform(hotel, monkeypatch).connect((await hotel.room_type(rooms=1))["rooms"][0])


@pytest.mark.parametrize(
    ("content", "failure"),
    [
        (None, "unreachable"),
        (b"<html>Sign in</html>", "not_a_calendar"),
        (to_calendar(event("a", 2, 4))[:-10], "not_a_calendar"),
        (to_calendar(*(event(str(number), 2, 4) for number in range(501))), "too_many_bookings"),
        (to_calendar(*(event(str(number), 1, 700) for number in range(10))), "too_many_bookings"),
    ],
)
async def test_calendar_that_fails_keeps_what_was_read(airbnb, clock, content, failure):
    await airbnb.publish(event("a", 2, 4))
    before = await airbnb.look()
    clock.advance(minutes=15)

    airbnb.serve_bytes(content)
    await airbnb.read()

    shown = await airbnb.look()
    assert (shown["failure"], shown["read_at"]) == (failure, before["read_at"])
    assert shown["tried_at"] > before["tried_at"]
    assert shown["bookings_count"] == 1
    await airbnb.publish(event("a", 2, 4))
    assert (await airbnb.look())["failure"] is None


async def test_calendar_is_read_every_quarter_of_an_hour(airbnb, clock):
    await process_queue(platform_calendars.QUEUE)
    airbnb.serve(event("a", 2, 4))

    clock.advance(minutes=14)
    await process_queue(platform_calendars.QUEUE)
    assert (await airbnb.look())["bookings_count"] == 0
    clock.advance(minutes=1)
    await process_queue(platform_calendars.QUEUE)

    assert (await airbnb.look())["bookings_count"] == 1


async def test_suspended_owner_is_not_read_for(airbnb, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    await airbnb.publish(event("a", 2, 4))

    count = "SELECT count(*) FROM hotel_foreign_booking WHERE owner_id = $1"
    assert await sql.fetch_value(count, owner.id) == 0


async def test_address_that_changes_meanwhile_is_not_taken(hotel, airbnb, monkeypatch):
    async def change_and_answer(url, **_limits):
        monkeypatch.undo()
        reply = await hotel.send("PUT", f"{airbnb.path}/{airbnb.id}", {"url": None})
        assert reply.status == 200, reply
        return to_calendar(event("a", 2, 4))

    monkeypatch.setattr(airbnb, "fetch_bytes", change_and_answer)
    await airbnb.read()

    assert (await airbnb.look())["bookings_count"] == 0


@pytest.fixture
async def host():
    """A server of calendars that misbehave."""

    async def answer(request):
        match request.match_info["name"]:
            case "slow":
                await asyncio.sleep(2)
            case "large":
                response = web.StreamResponse()
                await response.prepare(request)
                for _ in range(10_000):
                    await response.write(b"X" * 1024)
                return response
            case "metadata":
                raise web.HTTPFound("http://169.254.169.254/latest/meta-data")
            case "loop":
                raise web.HTTPFound("/loop")
            case "moved":
                raise web.HTTPMovedPermanently("/kept")
        return web.Response(body=to_calendar(event("a", 2, 4)), content_type="text/calendar")

    server = web.Application()
    server.router.add_get("/{name}", answer)
    runner = web.AppRunner(server, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.mark.parametrize(
    ("name", "failure"),
    [("kept", None), ("moved", None), *((name, "unreachable") for name in ("slow", "large", "metadata", "loop"))],
)
async def test_servers_that_misbehave_are_left(hotel, airbnb, host, monkeypatch, name, failure):
    monkeypatch.setattr(platform_calendars, "create_client", lambda: DocumentClient(allowed=LOOPBACK))
    monkeypatch.setattr(platform_calendars, "TIMEOUT_SECONDS", 0.5)
    await sql.execute("UPDATE hotel_room_calendar SET url = $2 WHERE id = $1", airbnb.id, f"{host}/{name}")

    await airbnb.read()

    assert (await airbnb.look())["failure"] == failure


async def test_own_network_is_never_read(hotel, airbnb, host, monkeypatch):
    monkeypatch.setattr(platform_calendars, "create_client", DocumentClient)
    await sql.execute("UPDATE hotel_room_calendar SET url = $2 WHERE id = $1", airbnb.id, f"{host}/kept")

    await airbnb.read()

    assert (await airbnb.look())["failure"] == "unreachable"
