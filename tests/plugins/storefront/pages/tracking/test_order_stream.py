"""The event stream of an order's page."""

import asyncio
import re
from contextlib import asynccontextmanager

import orjson
import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS
from comanda.platform.http import live_updates
from comanda_storefront.pages.tracking import order_stream, order_tracking


@asynccontextmanager
async def follower(store, token):
    """Open the event stream of an order, and yield a function that waits for the next event."""
    async with store.client.request(f"/t/{token}/events", method="GET") as connection:
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
                name, mark, data = head.partition(b"\nevent: progress\ndata: ")
                if mark:
                    assert re.fullmatch(rb"id: [0-9a-f]{18}", name)
                    return orjson.loads(data)

        yield next_event
        await connection.disconnect()


async def test_events_report_changes_until_order_ends(store, tracked_order, set_order_status):
    async with follower(store, tracked_order["track_token"]) as next_event:
        first = await next_event()
        assert "We have your order." in first["html"]
        assert first["is_finished"] is False
        await set_order_status(store, tracked_order, "preparing")
        assert "Your order is being prepared." in (await next_event())["html"]
        await set_order_status(store, tracked_order, "completed")
        assert (await next_event())["is_finished"] is True
    assert order_stream.watch.is_idle


async def test_each_page_receives_events_of_its_order(store, tracked_order, set_order_status):
    soup = await store.item("Tea", 2)
    other = await store.order({"item_id": soup["id"]})
    async with (
        follower(store, tracked_order["track_token"]) as one,
        follower(store, tracked_order["track_token"]) as two,
        follower(store, other["track_token"]) as third,
    ):
        for next_event in (one, two, third):
            await next_event()
        await set_order_status(store, tracked_order, "ready")
        assert "Your order is ready." in (await one())["html"]
        assert "Your order is ready." in (await two())["html"]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(third(), 1.5)
    assert order_stream.watch.is_idle


async def test_watcher_over_the_limit_gets_503(store, tracked_order, monkeypatch, get_order_page):
    monkeypatch.setattr(order_stream.watch, "max_watchers_of_one", 1)
    async with follower(store, tracked_order["track_token"]) as next_event:
        await next_event()

        response, _ = await get_order_page(store, tracked_order["track_token"], "/events")

        assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


async def test_quiet_stream_sends_heartbeat_and_ends(store, tracked_order, monkeypatch, get_order_page):
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 1.0)

    response, text = await get_order_page(store, tracked_order["track_token"], "/events")

    assert response.content_type == "text/event-stream"
    assert re.match(r"retry: 1000\n\nid: \w+\nevent: progress\n", text)
    assert text.endswith(": waiting\n\n")
    assert text.count("event: progress") == 1


async def test_stream_survives_short_database_outage(store, tracked_order, monkeypatch, set_order_status):
    view = order_tracking.get_order_view
    async with follower(store, tracked_order["track_token"]) as next_event:
        await next_event()

        async def fails(token):
            monkeypatch.setattr(order_tracking, "get_order_view", view)
            raise OSError("away")

        monkeypatch.setattr(order_tracking, "get_order_view", fails)
        await set_order_status(store, tracked_order, "ready")

        assert "Your order is ready." in (await next_event())["html"]


async def test_reconnecting_page_gets_only_new_events(
    store, tracked_order, monkeypatch, get_order_page, set_order_status
):
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 0.2)
    _, first = await get_order_page(store, tracked_order["track_token"], "/events")
    known = re.search(r"id: (\w+)", first)[1]

    async def back():
        response = await store.client.get(f"/t/{tracked_order['track_token']}/events", headers={"Last-Event-ID": known})
        return await response.get_data(as_text=True)

    assert "event: progress" not in await back()
    await set_order_status(store, tracked_order, "ready")
    assert "Your order is ready." in await back()
