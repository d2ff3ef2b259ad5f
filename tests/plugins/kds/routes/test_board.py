"""The board and its stream, over HTTP."""

import asyncio

import pytest


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
        received = b"".join([await asyncio.wait_for(connection.receive(), 5) for _ in range(2)])

    assert b"event: board" in received
    assert connection.headers["content-type"] == "text/event-stream"
