"""The board as it is followed."""

import asyncio
from contextlib import aclosing
from datetime import timedelta

import orjson
import pytest
from comanda.contracts.callers import Caller
from comanda.errors import Forbidden
from comanda_kds import members, stream
from comanda_kds.schemas import StationQuery


@pytest.fixture
async def post(kitchen, cook):
    caller = Caller("staff", 1, kitchen.owner.id, kitchen.id, cook.member_id, frozenset({"kds"}), None)
    return await members.post_at(caller, StationQuery())


async def events(post, last_event_id=None):
    """Yield the events of a board that is followed, as ``(id, document)``."""

    async def render():
        return await stream.snapshot(post)

    async with aclosing(stream.watch.stream(post.store_id, render, last_event_id)) as parts:
        async for part in parts:
            fields = dict(row.split(": ", 1) for row in part.decode().splitlines() if ": " in row and row[0] != ":")
            if "data" in fields:
                assert fields["event"] == "board"
                yield fields["id"], orjson.loads(fields["data"])


async def following(feed):
    """Return the next event, which comes within seconds."""
    return await asyncio.wait_for(anext(feed), 5)


async def test_a_board_is_told_at_once_and_with_every_change(kitchen, cook, post):
    async with aclosing(events(post)) as feed:
        first = (await following(feed))[1]
        assert {**first, "version": None} == {
            "version": None, "soon_seconds": 600, "late_seconds": 900, "tickets": [],
        }  # fmt: skip

        order = await kitchen.ordered(kitchen.soup, kitchen.bread)
        assert told(await following(feed)) == {order.id: ["queued", "queued"]}
        for item in order.lines:
            await cook.bump(item)
            expected = (await cook.states())[order.id]
            assert told(await following(feed)) == {order.id: expected}
        await kitchen.station("Grill")
        assert (await following(feed))[1]["tickets"][0]["items"][0]["station_id"] is not None
        await kitchen.set_status(order.id, "completed")
        assert told(await following(feed)) == {}


async def test_what_was_served_and_called_back_at_once_is_told(kitchen, cook, post):
    order = await kitchen.ordered(kitchen.soup)
    (item,) = order.lines
    for _ in range(2):
        await cook.bump(item)
    async with aclosing(events(post)) as feed:
        before = await following(feed)

        # Faster than anybody looks.
        await cook.bump(item)
        await cook.recall(item)

        after = await following(feed)
    assert told(before) == told(after) == {order.id: ["ready"]}
    assert before[1]["version"] != after[1]["version"]


def told(event):
    return {ticket["order_id"]: [item["status"] for item in ticket["items"]] for ticket in event[1]["tickets"]}


async def test_who_comes_back_is_told_what_changed_meanwhile_and_nothing_where_nothing_did(kitchen, cook, post):
    async with aclosing(events(post)) as feed:
        event_id, _ = await following(feed)
    async with aclosing(events(post, event_id)) as feed:
        waiting = asyncio.ensure_future(anext(feed))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        order = await kitchen.ordered(kitchen.soup)
        assert told(await asyncio.wait_for(waiting, 5)) == {order.id: ["queued"]}
    await cook.bump(order.lines[0])

    async with aclosing(events(post, event_id)) as feed:
        assert told(await following(feed)) == {order.id: ["preparing"]}


async def test_tickets_grow_late_without_anybody_doing_anything(kitchen, post, clock):
    await kitchen.ordered(kitchen.soup)
    async with aclosing(events(post)) as feed:
        seen = [(await following(feed))[1]["tickets"][0]["lateness"]]
        for minutes in (10, 5):
            clock.advance(minutes=minutes)
            seen.append((await following(feed))[1]["tickets"][0]["lateness"])

    assert seen == ["on_time", "soon", "late"]


async def test_an_order_for_later_comes_by_itself(kitchen, post, clock):
    order = await kitchen.ordered(kitchen.soup, scheduled_for=(clock() + timedelta(hours=2)).isoformat())
    async with aclosing(events(post)) as feed:
        assert told(await following(feed)) == {}
        clock.advance(minutes=91)
        assert told(await following(feed)) == {order.id: ["queued"]}


@pytest.mark.usefixtures("short_streams")
async def test_the_route_streams_events(kitchen, cook):
    async with kitchen.client.request("/api/v1/staff/kds/stream", headers=cook.auth) as connection:
        await connection.send_complete()
        received = b"".join([await asyncio.wait_for(connection.receive(), 5) for _ in range(2)])

    assert b"event: board" in received
    assert connection.headers["content-type"] == "text/event-stream"


async def test_nobody_follows_another_members_station(kitchen):
    grill, cold = await kitchen.station("Grill"), await kitchen.station("Cold")
    cook = await kitchen.cook(cold)
    caller = Caller("staff", 1, kitchen.owner.id, kitchen.id, cook.member_id, frozenset({"kds"}), None)

    with pytest.raises(Forbidden):
        await members.post_at(caller, StationQuery(station_id=grill))
