"""Events and their lanes follow the test clock, although they are due by the clock of the database."""

import pytest
from comanda.devkit.testing.tasks import process_queue
from comanda.menu.events import MenuUpdated
from comanda.platform.db import sql
from comanda.platform.events import dispatcher, lanes, outbox


@pytest.fixture(autouse=True)
async def empty_lanes(app):
    await sql.execute("DELETE FROM core_event_lane")
    yield
    await sql.execute("DELETE FROM core_event_lane")


@pytest.fixture
def publish(owner):
    async def publish_one(number):
        event = MenuUpdated(restaurant_id=1, change="created", entity="item", id=number)
        await outbox.publish(event, owner_id=owner.id)

    return publish_one


async def test_old_events_are_deleted(publish, hearing, published, advance_time):
    hearing()
    await publish(1)
    await dispatcher.dispatch_batch()
    advance_time(days=6)
    await publish(2)
    await dispatcher.dispatch_batch()
    await dispatcher.prune_events()
    kept = [data["id"] for _, data in await published()]

    advance_time(days=2)
    await dispatcher.prune_events()

    assert kept == [1, 2]
    assert [data["id"] for _, data in await published()] == [2]


async def test_event_is_dispatched_at_once_after_an_advance(publish, hearing, advance_time):
    heard = []

    async def hear(events):
        heard.extend(event.data["id"] for event in events)

    hearing(hear=hear)
    advance_time(days=400)
    await publish(1)

    assert await dispatcher.dispatch_batch() == 1
    assert heard == [1]


async def test_failed_handler_is_called_again_after_an_advance(publish, hearing, advance_time):
    calls = []

    async def fail_twice(events):
        calls.append(len(events))
        if len(calls) < 3:
            raise ConnectionError

    hearing(fail=fail_twice)
    advance_time(days=1)
    await publish(1)
    await dispatcher.dispatch_batch()
    assert await process_queue(lanes.QUEUE) == 0

    advance_time(minutes=1)
    assert await process_queue(lanes.QUEUE) == 1
    assert await process_queue(lanes.QUEUE) == 0
    advance_time(minutes=10)
    await process_queue(lanes.QUEUE)

    assert calls == [1, 1, 1]
    assert await lanes.measure_lanes() == []
