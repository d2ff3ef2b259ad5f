"""The stream of the board."""

import asyncio
from contextlib import aclosing
from datetime import timedelta

import orjson
import pytest
from comanda.contracts import Caller
from comanda.devkit.testing import MAX_WAIT_SECONDS, line
from comanda.platform.http import live_updates
from comanda_kds.schemas import StationQuery
from comanda_kds.services import board_stream, station_assignments


@pytest.fixture
async def assignment(kitchen, cook):
    caller = Caller("staff", 1, kitchen.owner.id, kitchen.id, cook.member_id, frozenset({"kds"}), None)
    return await station_assignments.get_assignment_at(caller, StationQuery())


async def stream_events(assignment, last_event_id=None):
    """Yield the events of a board as ``(id, document)``."""
    async with aclosing(board_stream.stream_board(assignment, last_event_id)) as parts:
        async for part in parts:
            fields = dict(row.split(": ", 1) for row in part.decode().splitlines() if ": " in row and row[0] != ":")
            if "data" in fields:
                assert fields["event"] == "board"
                yield fields["id"], orjson.loads(fields["data"])


async def get_next_event(feed):
    """Return the next event, which arrives within seconds."""
    return await asyncio.wait_for(anext(feed), MAX_WAIT_SECONDS)


def list_states(event):
    return {ticket["order_id"]: [item["status"] for item in ticket["items"]] for ticket in event[1]["tickets"]}


async def test_board_is_sent_at_once_and_with_every_change(kitchen, cook, assignment):
    async with aclosing(stream_events(assignment)) as feed:
        first = (await get_next_event(feed))[1]
        assert {**first, "version": None} == {
            "version": None, "soon_seconds": 600, "late_seconds": 900, "tickets": [],
        }  # fmt: skip

        order = await kitchen.place_order(kitchen.soup, kitchen.bread)
        assert list_states(await get_next_event(feed)) == {order.id: ["queued", "queued"]}
        for item in order.lines:
            await cook.bump(item)
            expected = (await cook.list_states())[order.id]
            assert list_states(await get_next_event(feed)) == {order.id: expected}
        await kitchen.add_station("Grill")
        assert (await get_next_event(feed))[1]["tickets"][0]["items"][0]["station_id"] is not None
        await kitchen.set_status(order.id, "completed")
        assert list_states(await get_next_event(feed)) == {}


async def test_rounds_voids_and_fired_courses_are_sent(kitchen, cook, assignment):
    order = await kitchen.order(line(kitchen.soup, 2, course=2))
    soup = order["items"][0]["id"]

    def show(event):
        return [
            (each["round"], len(each["voids"]), [i["is_held"] for i in each["items"]]) for each in event[1]["tickets"]
        ]

    async with aclosing(stream_events(assignment)) as feed:
        assert show(await get_next_event(feed)) == [(1, 0, [True])]
        await cook.send("POST", f"/orders/{order['id']}/courses/2/fire")
        assert show(await get_next_event(feed)) == [(1, 0, [False])]
        await kitchen.send("POST", f"/orders/{order['id']}/lines", {"items": [line(kitchen.bread)]})
        assert show(await get_next_event(feed)) == [(1, 0, [False]), (2, 0, [False])]
        await kitchen.send("POST", f"/orders/{order['id']}/lines/{soup}/void", {"quantity": 1, "reason": "Mistake"})
        event = await get_next_event(feed)
        assert show(event) == [(1, 1, [False]), (2, 0, [False])]
        await cook.send("PUT", f"/voids/{event[1]['tickets'][0]['voids'][0]['id']}/seen")
        assert show(await get_next_event(feed)) == [(1, 0, [False]), (2, 0, [False])]


async def test_times_of_courses_and_bumps_are_sent(kitchen, cook, assignment):
    order = await kitchen.order(line(kitchen.soup, course=2))
    path = f"/orders/{order['id']}/courses/2/fire"

    def show(event):
        ((item,),) = (each["items"] for each in event[1]["tickets"])
        return item["fire_at"] is not None, item["bumps"]

    async with aclosing(stream_events(assignment)) as feed:
        assert show(await get_next_event(feed)) == (False, 3)
        await cook.send("POST", path, {"minutes": 15})
        assert show(await get_next_event(feed)) == (True, 3)
        await cook.send("DELETE", path)
        assert show(await get_next_event(feed)) == (False, 3)
        await kitchen.send("PUT", "/settings/kds", {"bumps": 1})
        assert show(await get_next_event(feed)) == (False, 1)


async def test_changes_are_sent_before_the_poll(kitchen, cook, assignment, monkeypatch):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 600)
    async with aclosing(stream_events(assignment)) as feed:
        await get_next_event(feed)

        order = await kitchen.place_order(kitchen.soup, kitchen.bread)
        assert list_states(await get_next_event(feed)) == {order.id: ["queued", "queued"]}
        await cook.bump(order.lines[0])
        assert list_states(await get_next_event(feed)) == {order.id: ["preparing", "queued"]}
        # The order's status stays.
        await cook.bump(order.lines[1])
        assert list_states(await get_next_event(feed)) == {order.id: ["preparing", "preparing"]}
        await kitchen.set_status(order.id, "completed")
        assert list_states(await get_next_event(feed)) == {}


async def test_quickly_undone_change_is_sent(kitchen, cook, assignment):
    order = await kitchen.place_order(kitchen.soup)
    (item,) = order.lines
    for _ in range(2):
        await cook.bump(item)
    async with aclosing(stream_events(assignment)) as feed:
        before = await get_next_event(feed)

        # Faster than the board is polled.
        await cook.bump(item)
        await cook.recall(item)

        after = await get_next_event(feed)
    assert list_states(before) == list_states(after) == {order.id: ["ready"]}
    assert before[1]["version"] != after[1]["version"]


async def test_reconnecting_sends_missed_changes_only(kitchen, cook, assignment):
    async with aclosing(stream_events(assignment)) as feed:
        event_id, _ = await get_next_event(feed)
    async with aclosing(stream_events(assignment, event_id)) as feed:
        waiting = asyncio.ensure_future(anext(feed))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        order = await kitchen.place_order(kitchen.soup)
        assert list_states(await asyncio.wait_for(waiting, MAX_WAIT_SECONDS)) == {order.id: ["queued"]}
    await cook.bump(order.lines[0])

    async with aclosing(stream_events(assignment, event_id)) as feed:
        assert list_states(await get_next_event(feed)) == {order.id: ["preparing"]}


async def test_tickets_become_late_over_time(kitchen, assignment, clock):
    await kitchen.place_order(kitchen.soup)
    async with aclosing(stream_events(assignment)) as feed:
        seen = [(await get_next_event(feed))[1]["tickets"][0]["lateness"]]
        for minutes in (10, 5):
            clock.advance(minutes=minutes)
            seen.append((await get_next_event(feed))[1]["tickets"][0]["lateness"])

    assert seen == ["on_time", "soon", "late"]


async def test_scheduled_order_appears_by_itself(kitchen, assignment, clock):
    order = await kitchen.place_order(kitchen.soup, scheduled_for=(clock() + timedelta(hours=2)).isoformat())
    async with aclosing(stream_events(assignment)) as feed:
        assert list_states(await get_next_event(feed)) == {}
        clock.advance(minutes=91)
        assert list_states(await get_next_event(feed)) == {order.id: ["queued"]}
