"""Customer displays on other devices: who connects one, what it shows, and when it ends."""

import asyncio
from contextlib import asynccontextmanager

import orjson
import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform.db import sql
from comanda_till.services import displays

DISPLAYS = "/api/v1/staff/displays"
SHOWN = {
    "lines": [{"label": "2 x Risotto", "amount": "€28.00"}],
    "sums": [{"label": "Total", "amount": "€28.00"}],
    "change": None,
}


@pytest.fixture
async def waiter(log_in):
    return await log_in("orders")


@pytest.fixture
def connect(store, waiter):
    """Return a function that connects a display and returns its record, with the path of its page."""

    async def connect():
        reply = await store.send_to(DISPLAYS, "POST", None, **waiter)
        assert reply.status == 201
        return {**reply.document, "path": f"/till/display/{reply.document['url'].rpartition('/')[2]}"}

    return connect


@asynccontextmanager
async def follower(client, path):
    """Open the event stream of a display, and yield a function that waits for the next event."""
    async with client.request(f"{path}/events", method="GET") as connection:
        await connection.send_complete()
        buffer = b""

        async def next_event():
            nonlocal buffer
            while True:
                head, mark, rest = buffer.partition(b"\n\n")
                if not mark:
                    buffer += await asyncio.wait_for(connection.receive(), MAX_WAIT_SECONDS)
                    continue
                buffer = rest
                _, mark, event = head.partition(b"\nevent: ")
                if mark:
                    name, _, data = event.partition(b"\ndata: ")
                    return name.decode(), orjson.loads(data)

        yield next_event
        await connection.disconnect()


async def show(store, waiter, display, body):
    return await store.send_to(f"{DISPLAYS}/{display['id']}/check", "PUT", body, **waiter)


async def test_display_follows_its_till_without_a_login(store, waiter, connect):
    display, other = await connect(), await connect()
    page = await store.client.get(display["path"])
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert display["qr_code"].startswith("data:image/svg+xml")

    async with follower(store.client, display["path"]) as next_event, follower(store.client, other["path"]) as beside:
        assert await next_event() == ("check", {"lines": [], "sums": [], "change": None})
        assert (await show(store, waiter, display, SHOWN)).status == 204
        assert await next_event() == ("check", SHOWN)
        assert await beside() == ("check", {"lines": [], "sums": [], "change": None})
    assert displays.watch.is_idle


async def test_disconnected_display_ends_at_once(store, waiter, connect):
    display = await connect()
    async with follower(store.client, display["path"]) as next_event:
        await next_event()
        assert (await store.send_to(f"{DISPLAYS}/{display['id']}", "DELETE", None, **waiter)).status == 204
        assert (await next_event())[0] == "disconnected"

    for path in (display["path"], f"{display['path']}/events"):
        assert (await store.client.get(path)).status_code == 404
    assert (await show(store, waiter, display, SHOWN)).status == 404
    assert (await store.send_to(DISPLAYS, "GET", None, **waiter)).document["data"] == []


@pytest.mark.parametrize("code", ["x", "1" + "a" * 32, "é" * 40, "a" * 300])
async def test_page_of_no_display_is_not_found(store, code):
    assert (await store.client.get(f"/till/display/{code}")).status_code == 404


async def test_suspended_owner_has_no_displays(store, connect):
    display = await connect()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)

    for path in (display["path"], f"{display['path']}/events"):
        assert (await store.client.get(path)).status_code == 404


async def test_staff_without_orders_may_not_connect_displays(store, log_in):
    assert (await store.send_to(DISPLAYS, "POST", None, **await log_in("kds"))).status == 403


async def test_store_has_at_most_so_many_displays(store, waiter, connect, monkeypatch):
    monkeypatch.setattr(displays, "MAX_DISPLAYS", 1)
    await connect()

    reply = await store.send_to(DISPLAYS, "POST", None, **waiter)

    assert (reply.status, reply.document["limits"]) == (409, {"displays": 1})


@pytest.mark.parametrize("body", [{"lines": [{"label": "x" * 301}]}, {"lines": [{"label": "x"}] * 201}])
async def test_display_takes_only_what_it_shows(store, waiter, connect, body):
    display = await connect()

    assert (await show(store, waiter, display, body)).status == 422


async def test_display_shows_nothing_beside_the_check(store, waiter, connect):
    display = await connect()
    assert (await show(store, waiter, display, {**SHOWN, "customer_name": "Ada", "phone": "+49151"})).status == 204

    async with follower(store.client, display["path"]) as next_event:
        assert await next_event() == ("check", SHOWN)
