"""The outbox reaches its handlers: at least once, each for itself, from any number of processes."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from comanda import runtime as runtime_module
from comanda.contracts.events import EventHandler
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda.devkit.testing.plugin import METRICS_TOKEN
from comanda.events import dispatcher, outbox
from comanda.menu.events import MenuUpdated
from comanda.orders.events import OrderCreated

ROW = "SELECT done_at, due_at, handled, attempts, last_error, due_at > now() AS is_later FROM core_outbox"


async def publish(owner, count=1):
    for number in range(count):
        event = MenuUpdated(restaurant_id=1, change="created", entity="item", id=number)
        await outbox.publish(event, owner_id=owner.id)


async def rows(owner):
    return await sql.fetch(f"{ROW} WHERE owner_id = $1 ORDER BY id", owner.id)


async def make_due(owner):
    await sql.execute("UPDATE core_outbox SET due_at = now() WHERE owner_id = $1 AND done_at IS NULL", owner.id)


def numbers(events):
    return [event.data["id"] for event in events]


async def test_events_arrive_in_one_batch_in_their_order(owner, hearing):
    heard = []

    async def hear(events):
        heard.append(numbers(events))

    hearing(hear=hear)
    await publish(owner, 5)

    assert await dispatcher.dispatch_batch() == 5
    assert heard == [[0, 1, 2, 3, 4]]
    assert await dispatcher.dispatch_batch() == 0
    assert all(row["done_at"] and row["handled"] == ["hear"] for row in await rows(owner))


async def test_a_handler_that_fails_once_is_tried_again_later_and_alone(owner, hearing):
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
    (row,) = await rows(owner)
    assert (row["done_at"], row["handled"], row["attempts"], row["is_later"]) == (None, ["other"], 1, True)
    assert "the printer is out of paper" in row["last_error"]
    assert await dispatcher.dispatch_batch() == 0
    await make_due(owner)
    await dispatcher.dispatch_batch()

    assert (calls, others) == ([[0], [0]], [[0]])
    assert sorted((await rows(owner))[0]["handled"]) == ["fail_first", "other"]
    assert (await rows(owner))[0]["done_at"] is not None


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
    assert [row["done_at"] is not None for row in await rows(owner)] == [True, True, False, True, True]


async def test_each_failure_waits_longer_and_none_for_ever(owner, hearing):
    async def fail(events):
        raise ValueError

    hearing(fail=fail)
    await publish(owner)
    waits = []
    for _ in range(7):
        await make_due(owner)
        await dispatcher.dispatch_batch()
        waits.append(
            await sql.fetch_value(
                "SELECT extract(epoch FROM due_at - now()) FROM core_outbox WHERE owner_id = $1", owner.id
            )
        )

    assert [round(float(wait)) for wait in waits] == [1, 4, 16, 64, 256, 600, 600]


async def test_a_handler_that_hangs_holds_up_no_other(owner, hearing, monkeypatch):
    monkeypatch.setattr(dispatcher, "HANDLER_SECONDS", 0.05)
    heard = []

    async def hang(events):
        await asyncio.Event().wait()

    async def hear(events):
        heard.append(numbers(events))

    hearing(hang=hang, hear=hear)
    await publish(owner)

    await dispatcher.dispatch_batch()

    assert heard == [[0]]
    (row,) = await rows(owner)
    assert (row["handled"], row["done_at"]) == (["hear"], None)
    assert "TimeoutError" in row["last_error"]


async def test_two_dispatchers_share_the_work_and_handle_nothing_twice(owner, hearing, monkeypatch):
    monkeypatch.setattr(dispatcher, "BATCH_SIZE", 7)
    heard, busy, most = [], 0, 0

    async def hear(events):
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0.005)
        heard.extend(numbers(events))
        busy -= 1

    hearing(hear=hear)
    await publish(owner, 60)

    async def work():
        while await dispatcher.dispatch_batch():
            pass

    await asyncio.gather(work(), work(), work())

    assert sorted(heard) == list(range(60))
    assert most > 1


async def test_events_of_dead_dispatcher_are_taken_over(owner, hearing):
    heard = []

    async def hear(events):
        heard.extend(numbers(events))

    hearing(hear=hear)
    await publish(owner, 3)
    taken = await sql.fetch(dispatcher.CLAIM_DUE_EVENTS, 10, dispatcher.LEASE)

    before = await dispatcher.dispatch_batch()
    await sql.execute(
        "UPDATE core_outbox SET due_at = due_at - $2::interval WHERE owner_id = $1", owner.id, dispatcher.LEASE
    )
    after = await dispatcher.dispatch_batch()

    assert (len(taken), before, after, heard) == (3, 0, 3, [0, 1, 2])
    assert {row["attempts"] for row in await rows(owner)} == {2}


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


async def test_prune_keeps_waiting_and_recent_events(owner):
    await publish(owner, 3)
    ids = [row["id"] for row in await sql.fetch("SELECT id FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)]
    old = dispatcher.RETENTION + timedelta(hours=1)
    await sql.execute("UPDATE core_outbox SET done_at = now() - $2::interval WHERE id = $1", ids[0], old)
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE id = $1", ids[1])
    await sql.execute("UPDATE core_outbox SET occurred_at = now() - $2::interval WHERE id = $1", ids[2], old)

    await dispatcher.prune_events()

    left = await sql.fetch("SELECT id FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [row["id"] for row in left] == ids[1:]


async def test_readiness_is_about_workers_not_about_a_handler_that_fails(client, owner, hearing):
    async def fail(events):
        raise ValueError

    hearing(fail=fail)
    await publish(owner)
    await dispatcher.dispatch_batch()
    await sql.execute(
        """UPDATE core_outbox SET occurred_at = now() - interval '1 day', due_at = now() + interval '9 minutes'
           WHERE owner_id = $1""",
        owner.id,
    )
    failing = await client.get("/readyz", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    await sql.execute("UPDATE core_outbox SET due_at = now() - interval '6 minutes' WHERE owner_id = $1", owner.id)
    untaken = await client.get("/readyz", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE owner_id = $1", owner.id)

    assert failing.status_code == 200
    assert untaken.status_code == 503
    assert "is a worker running?" in (await untaken.get_json())["message"]
    assert (await client.get("/readyz", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})).status_code == 200


async def test_running_dispatcher_is_notified(owner, hearing):
    heard = asyncio.Event()

    async def hear(events):
        heard.set()

    hearing(hear=hear)
    wake = WakeEvent()
    running = asyncio.create_task(dispatcher.run(wake))
    await asyncio.sleep(0.05)

    await publish(owner)
    wake.set()
    async with asyncio.timeout(0.5):
        await heard.wait()

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
