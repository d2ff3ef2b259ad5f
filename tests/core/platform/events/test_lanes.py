"""The lanes of handlers: what fails, hangs or waits there, and how it leaves."""

import asyncio

import pytest
from comanda.devkit.testing.tasks import process_queue
from comanda.menu.events import MenuUpdated
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.events import dispatcher, handler_calls, lanes, outbox
from structlog.testing import capture_logs

SELECT_LANE = """
    SELECT l.handler, (o.data ->> 'id')::int AS number, l.attempts, l.last_error, l.leased_until,
        extract(epoch FROM l.due_at - now())::float8 AS due_in
    FROM core_event_lane l JOIN core_outbox o ON o.id = l.event_id AND o.owner_id = l.owner_id
    WHERE l.owner_id = $1 ORDER BY l.id
"""


@pytest.fixture(autouse=True)
async def empty_lanes(app):
    await sql.execute("DELETE FROM core_event_lane")
    yield
    await sql.execute("DELETE FROM core_event_lane")


@pytest.fixture
def handler_timeout(app, monkeypatch):
    monkeypatch.setattr(runtime_module.settings(), "handler_timeout_seconds", 0.1)


async def publish(owner, count=1):
    for number in range(count):
        event = MenuUpdated(restaurant_id=1, change="created", entity="item", id=number)
        await outbox.publish(event, owner_id=owner.id)


async def read_lane(owner):
    return await sql.fetch(SELECT_LANE, owner.id)


async def make_due(owner):
    await sql.execute("UPDATE core_event_lane SET due_at = now() WHERE owner_id = $1", owner.id)


def numbers(events):
    return [event.data["id"] for event in events]


async def test_handler_that_fails_once_is_called_again_later_and_alone(owner, hearing):
    calls, others = [], []

    async def fail_first(events):
        calls.append(numbers(events))
        if len(calls) == 1:
            raise ConnectionError("the printer is out of paper")

    async def other(events):
        others.append(numbers(events))

    hearing(fail_first=fail_first, other=other)
    await publish(owner)

    await dispatcher.dispatch_batch()
    [row] = await read_lane(owner)
    assert (row["handler"], row["attempts"]) == ("fail_first", 1)
    assert 0 < row["due_in"] <= 1
    assert "the printer is out of paper" in row["last_error"]
    assert await process_queue(lanes.QUEUE) == 0
    await make_due(owner)

    assert await process_queue(lanes.QUEUE) == 1

    assert (calls, others) == ([[0], [0]], [[0]])
    assert await read_lane(owner) == []


async def test_one_bad_event_holds_up_no_other_of_its_batch(owner, hearing):
    heard = []

    async def picky(events):
        if 2 in numbers(events):
            raise ValueError("never 2")
        heard.extend(numbers(events))

    hearing(picky=picky)
    await publish(owner, 5)

    await dispatcher.dispatch_batch()

    assert heard == [0, 1, 3, 4]
    assert [row["number"] for row in await read_lane(owner)] == [2]


async def test_each_failure_waits_longer_and_none_for_ever(owner, hearing):
    async def fail(_events):
        raise ValueError

    hearing(fail=fail)
    await publish(owner)
    await dispatcher.dispatch_batch()
    waits = [(await read_lane(owner))[0]["due_in"]]
    for _ in range(6):
        await make_due(owner)
        await process_queue(lanes.QUEUE)
        waits.append((await read_lane(owner))[0]["due_in"])

    assert [round(wait) for wait in waits] == [1, 4, 16, 64, 256, 600, 600]


@pytest.mark.usefixtures("handler_timeout")
async def test_handler_that_hangs_is_suspended_until_it_succeeds(owner, hearing):
    heard, hanging = [], True

    async def hang(events):
        if hanging:
            await asyncio.Event().wait()
        heard.append(numbers(events))

    hearing(hang=hang)
    await publish(owner)
    await dispatcher.dispatch_batch()
    [row] = await read_lane(owner)
    await publish(owner)
    hanging = False
    await dispatcher.dispatch_batch()
    waiting = len(await read_lane(owner))
    await make_due(owner)
    await process_queue(lanes.QUEUE)
    await publish(owner)
    await dispatcher.dispatch_batch()

    assert "longer than 0.1 seconds" in row["last_error"]
    assert waiting == 2
    assert len(heard) == 3
    assert await read_lane(owner) == []


@pytest.mark.usefixtures("handler_timeout")
async def test_handler_that_ignores_cancellation_is_left_to_itself(owner, hearing, monkeypatch):
    monkeypatch.setattr(handler_calls, "CANCEL_SECONDS", 0.05)
    released, others = asyncio.Event(), []

    async def ignore(_events):
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue

    async def other(events):
        others.extend(numbers(events))

    hearing(ignore=ignore, other=other)
    await publish(owner, 2)
    await dispatcher.dispatch_batch()
    await make_due(owner)
    await process_queue_once()
    await publish(owner)
    await dispatcher.dispatch_batch()

    assert others == [0, 1, 0]
    assert {row["handler"] for row in await read_lane(owner)} == {"ignore"}
    released.set()


async def process_queue_once():
    """Process the lanes while a handler is stuck: its rows stay due, so there is no end to wait for."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await process_queue(lanes.QUEUE)


async def test_handler_that_exits_ends_no_process(owner, hearing):
    async def leave(_events):
        raise SystemExit(3)

    hearing(leave=leave)
    await publish(owner)

    await dispatcher.dispatch_batch()

    [row] = await read_lane(owner)
    assert "SystemExit" in row["last_error"]


async def test_events_of_missing_handler_wait_for_it(owner, hearing):
    heard = []

    async def fail(_events):
        raise ValueError

    async def hear(events):
        heard.extend(numbers(events))

    hearing(removed=fail)
    await publish(owner)
    await dispatcher.dispatch_batch()
    hearing()
    await make_due(owner)
    await process_queue(lanes.QUEUE)
    [row] = await read_lane(owner)
    hearing(removed=hear)
    await make_due(owner)
    await process_queue(lanes.QUEUE)

    assert "not installed" in row["last_error"]
    assert heard == [0]


async def test_log_of_a_failing_handler_names_its_plugin(owner, hearing, monkeypatch):
    async def fail(events):
        raise ConnectionError("the printer is out of paper")

    hearing(fail=fail)
    monkeypatch.setattr(type(runtime_module.registry()), "plugin_of", lambda registry, declaration: "printers")
    await publish(owner)

    with capture_logs() as lines:
        await dispatcher.dispatch_batch()

    assert [line["plugin"] for line in lines if line["event"] == "event_handler_failed"] == ["printers"]
