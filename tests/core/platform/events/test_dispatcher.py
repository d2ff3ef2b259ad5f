"""The outbox reaches its handlers: at least once, each for itself, from any number of processes."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from comanda.contracts.background.events import EventHandler
from comanda.devkit.testing.plugin import METRICS_TOKEN
from comanda.devkit.testing.tasks import process_queue
from comanda.menu.events import MenuUpdated
from comanda.orders.events import OrderCreated
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.events import dispatcher, lanes, outbox
from comanda.platform.queue.consumer import QueueConsumer
from comanda.platform.queue.leases import claim_rows

OPERATOR = {"Authorization": f"Bearer {METRICS_TOKEN}"}


async def publish(owner, count=1, first=0):
    for number in range(first, first + count):
        event = MenuUpdated(restaurant_id=1, change="created", entity="item", id=number)
        await outbox.publish(event, owner_id=owner.id)


async def rows(owner):
    return await sql.fetch("SELECT done_at FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)


def numbers(events):
    return [event.data["id"] for event in events]


@asynccontextmanager
async def running_dispatcher():
    async with dispatcher.QUEUE.open_work() as work:
        consumer = QueueConsumer(dispatcher.QUEUE, work)
        task = asyncio.create_task(consumer.run())
        yield consumer
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_events_arrive_in_one_batch_in_their_order(owner, hearing):
    heard = []

    async def hear(events):
        heard.append(numbers(events))

    hearing(hear=hear)
    await publish(owner, 5)

    assert await dispatcher.dispatch_batch() == 5
    assert heard == [[0, 1, 2, 3, 4]]
    assert await dispatcher.dispatch_batch() == 0
    assert all(row["done_at"] for row in await rows(owner))


async def test_two_dispatchers_share_the_work_and_handle_nothing_twice(owner, hearing):
    heard = []

    async def hear(events):
        await asyncio.sleep(0.005)
        heard.extend(numbers(events))

    hearing(hear=hear)
    await publish(owner, 60)

    async def work():
        while await dispatcher.dispatch_batch(7):
            pass

    await asyncio.gather(work(), work(), work())
    # A handler gets one batch at a time in a process; the others take the lane.
    await process_queue(lanes.QUEUE)

    assert sorted(heard) == list(range(60))


async def test_events_of_dead_dispatcher_are_taken_over(owner, hearing):
    heard = []

    async def hear(events):
        heard.extend(numbers(events))

    hearing(hear=hear)
    await publish(owner, 3)
    taken = await claim_rows(dispatcher.OUTBOX, 10, dispatcher.LEASE)

    before = await dispatcher.dispatch_batch()
    await sql.execute(
        "UPDATE core_outbox SET due_at = due_at - $2::interval WHERE owner_id = $1", owner.id, dispatcher.LEASE
    )
    after = await dispatcher.dispatch_batch()

    assert (len(taken), before, after, heard) == (3, 0, 3, [0, 1, 2])


async def test_handler_receives_subscribed_events(owner, hearing, runtime):
    menus, orders = [], []

    async def of_menus(events):
        menus.extend(numbers(events))

    async def of_orders(events):
        orders.extend(numbers(events))

    handlers = (EventHandler("menus", of_menus, (MenuUpdated,)), EventHandler("orders", of_orders, (OrderCreated,)))
    runtime_module.use(replace(runtime, registry=replace(runtime.registry, event_handlers=handlers)))
    await publish(owner)
    await dispatcher.dispatch_batch()

    assert (menus, orders) == ([0], [])


async def test_prune_keeps_waiting_and_recent_events(owner, hearing):
    async def fail(_events):
        raise ValueError

    hearing(fail=fail)
    await publish(owner, 1)
    await dispatcher.dispatch_batch()
    hearing()
    await publish(owner, 3)
    ids = [row["id"] for row in await sql.fetch("SELECT id FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)]
    old = dispatcher.RETENTION + timedelta(hours=1)
    await sql.execute("UPDATE core_outbox SET done_at = now() - $2::interval WHERE id = ANY($1)", ids[:2], old)
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE id = $1", ids[2])
    await sql.execute("UPDATE core_outbox SET occurred_at = now() - $2::interval WHERE id = $1", ids[3], old)

    await dispatcher.prune_events()

    left = await sql.fetch("SELECT id FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)
    # The first is still in the lane of a handler that failed with it.
    assert [row["id"] for row in left] == [ids[0], ids[2], ids[3]]


async def test_readiness_is_about_workers_and_names_failing_handlers(client, owner, hearing):
    async def fail(_events):
        raise ValueError

    hearing(broken_printer=fail)
    await publish(owner)
    await dispatcher.dispatch_batch()
    await sql.execute(
        "UPDATE core_event_lane SET created_at = now() - interval '1 day', due_at = now() - interval '10 minutes'"
    )
    failing = await client.get("/readyz", headers=OPERATOR)
    metrics = await (await client.get("/metrics", headers=OPERATOR)).get_data(as_text=True)
    await sql.execute(
        "UPDATE core_outbox SET done_at = NULL, due_at = now() - interval '6 minutes' WHERE owner_id = $1", owner.id
    )
    untaken = await client.get("/readyz", headers=OPERATOR)
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE owner_id = $1", owner.id)

    assert failing.status_code == 200
    assert (await failing.get_json())["handlers"]["broken_printer"]["status"] == "degraded"
    assert 'comanda_event_handler_waiting{handler="broken_printer"} 1.0' in metrics
    assert 'comanda_event_handler_failures_total{handler="broken_printer",reason="error"} 1.0' in metrics
    assert 'comanda_queue_waiting{queue="event_lanes"} 1.0' in metrics
    assert 'comanda_queue_overdue_seconds{queue="event_lanes"} 600.' in metrics
    assert untaken.status_code == 503
    assert "is a worker running?" in (await untaken.get_json())["message"]
    assert (await client.get("/readyz", headers=OPERATOR)).status_code == 200


async def test_running_dispatcher_is_notified(owner, hearing):
    heard = asyncio.Event()

    async def hear(_events):
        heard.set()

    hearing(hear=hear)
    async with running_dispatcher() as consumer:
        await asyncio.sleep(0.05)
        await publish(owner)
        consumer.wake()
        async with asyncio.timeout(120):
            await heard.wait()


async def test_handler_that_hangs_delays_no_batch(owner, hearing, monkeypatch):
    heard, stopped, calls = [], asyncio.Event(), []

    async def hang(events):
        calls.append(numbers(events))
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def hear(events):
        heard.extend(numbers(events))

    hearing(hang=hang, hear=hear)
    await publish(owner, 3)
    async with running_dispatcher() as consumer, asyncio.timeout(120):
        await wait_until_done(owner)
        # The second batch finds the handler busy and does not wait for it at all.
        monkeypatch.setattr(dispatcher._dispatch, "__defaults__", (600,))
        await publish(owner, 3, first=3)
        consumer.wake()
        await wait_until_done(owner)

    waiting = await sql.fetch("SELECT handler FROM core_event_lane WHERE owner_id = $1", owner.id)
    assert heard == [0, 1, 2, 3, 4, 5]
    assert calls == [[0, 1, 2]]
    assert [row["handler"] for row in waiting] == ["hang"] * 6
    assert stopped.is_set()


async def wait_until_done(owner):
    statement = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    while await sql.fetch_value(statement, owner.id):  # noqa: ASYNC110 - it is the database that changes
        await asyncio.sleep(0.02)
