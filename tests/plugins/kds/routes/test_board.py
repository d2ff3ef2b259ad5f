"""The board and its stream, over HTTP."""

import asyncio

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform.http import live_updates


async def test_etag_ignores_ages(kitchen, cook, clock):
    order = await kitchen.place_order(kitchen.soup)
    etag = (await cook.send("GET", "")).headers["etag"]
    clock.advance(seconds=30)

    same = await cook.send("GET", "", If_None_Match=etag)
    await cook.bump(order.lines[0])
    other = await cook.send("GET", "", If_None_Match=etag)

    assert (same.status, other.status) == (304, 200)
    assert other.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("query", ["?station_id=x", "?station_id=0", "?station_id=99999999999999999999", "?view=x"])
async def test_invalid_query_is_refused(cook, query):
    assert (await cook.send("GET", query)).status == 422


@pytest.mark.usefixtures("short_streams")
async def test_the_route_streams_events(kitchen, cook):
    async with kitchen.client.request("/api/v1/staff/kds/stream", headers=cook.auth) as connection:
        await connection.send_complete()
        received = b"".join([await asyncio.wait_for(connection.receive(), MAX_WAIT_SECONDS) for _ in range(2)])

    assert b"event: board" in received
    assert connection.headers["content-type"] == "text/event-stream"


async def test_open_streams_end_at_a_suspension(kitchen, cook, monkeypatch):
    # By itself, the stream ends after the test has given up.
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 2 * MAX_WAIT_SECONDS)
    request = kitchen.client.request("/api/v1/staff/kds/stream", headers=cook.auth)
    # Leaving the block waits until the stream ends.
    async with asyncio.timeout(MAX_WAIT_SECONDS), request as connection:
        await connection.send_complete()
        assert b"event: board" in b"".join([await connection.receive() for _ in range(2)])
        await administration.suspend_owner(kitchen.owner.id, "Unpaid")


async def test_invalid_body_is_refused(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)

    reply = await cook.send("PUT", f"/items/{order.lines[0]}/bump", {"expected_status": "burnt"})

    assert list(reply.errors) == ["expected_status"]
    assert await kitchen.list_kds_statuses(order) == ["queued"]


async def test_staff_without_the_permission_get_403(kitchen):
    waiter = await kitchen.add_cook(scopes=["orders"])
    order = await kitchen.place_order(kitchen.soup)

    for method, path in (
        ("GET", ""),
        ("PUT", f"/items/{order.lines[0]}/bump"),
        ("GET", "/stream"),
        ("GET", "/stations"),
    ):
        reply = await waiter.send(method, path)
        assert (reply.status, reply["code"]) == (403, "forbidden")
    assert await kitchen.list_kds_statuses(order) == ["queued"]
