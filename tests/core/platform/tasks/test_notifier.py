"""Notification of queue workers."""

import asyncio
from contextlib import ExitStack

import asyncpg
import pytest
from comanda.contracts.background.tasks import WakeEvent
from comanda.platform.db import sql
from comanda.platform.tasks import notifier


async def test_notification_reaches_another_process(app, database_url):
    """Listen on a connection of its own, as another process does, and ring here."""
    heard = asyncio.Event()
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANNEL, lambda *_: heard.set())

    notifier.notify("outbox")
    async with asyncio.timeout(120):
        await heard.wait()

    await connection.close()


async def test_notification_stays_local_if_this_process_listens(app, database_url):
    elsewhere = []
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANNEL, lambda *call: elsewhere.append(call[-1]))
    wake = WakeEvent()

    with notifier.listen("here", wake.set):
        notifier.notify("here")
        notifier.notify("elsewhere")
        await notifier.flush()
        async with asyncio.timeout(120):
            await wake.wait(120)
            while not elsewhere:
                await connection.execute("SELECT 1")

    assert elsewhere == ["elsewhere"]
    await connection.close()


@sql.transaction()
async def notify_and_fail(name):
    notifier.notify(name)
    raise ZeroDivisionError


async def test_work_is_announced_once_the_transaction_has_committed(app):
    woken = []
    with notifier.listen("here", lambda: woken.append("here")):
        async with sql.transaction():
            notifier.notify("here")
            notifier.notify("here")
            assert woken == []
        assert woken == ["here"]
        with pytest.raises(ZeroDivisionError):
            await notify_and_fail("here")

    assert woken == ["here"]


async def test_notification_of_another_process_sets_event(app, database_url):
    listener = notifier.Listener(lambda: asyncpg.connect(database_url))
    heard = asyncio.Event()
    stack = ExitStack()
    stack.enter_context(notifier.listen("outbox", heard.set))
    listening = asyncio.create_task(listener.run())
    other = await asyncpg.connect(database_url)
    async with asyncio.timeout(120):
        await heard.wait()  # the first ring says that it listens now
        heard.clear()

        await other.execute("SELECT pg_notify($1, 'outbox')", notifier.CHANNEL)
        await heard.wait()

    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    stack.close()
    await other.close()


async def test_the_listener_comes_back_after_its_connection_broke(app, database_url, monkeypatch):
    opened = []

    async def connect():
        opened.append(await asyncpg.connect(database_url))
        return opened[-1]

    monkeypatch.setattr(notifier, "RECONNECT_SECONDS", 0.01)
    listener = notifier.Listener(connect)
    wake = WakeEvent()
    stack = ExitStack()
    stack.enter_context(notifier.listen("outbox", wake.set))
    listening = asyncio.create_task(listener.run())
    await wake.wait(120)

    opened[0].terminate()
    await wake.wait(120)

    assert len(opened) == 2
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    stack.close()


async def test_changes_of_stores_reach_all_processes_once_committed(app, database_url):
    heard, here = [], WakeEvent()
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANGES_CHANNEL, lambda *call: heard.append(call[-1]))
    listening = asyncio.create_task(
        notifier.Listener(lambda: asyncpg.connect(database_url), notifier.CHANGES_CHANNEL).run()
    )

    with notifier.listen_for_changes(7, here.set):
        await here.wait(120)  # it may have missed some
        async with sql.transaction():
            for store_id in (7, 7, 8):
                notifier.announce_change(store_id)
            assert await connection.fetchval("SELECT 1") == 1
            assert heard == []
        async with asyncio.timeout(120):
            await here.wait(120)
            await notifier.flush()
            while len(heard) < 2:
                await connection.execute("SELECT 1")

    assert sorted(heard) == ["store_7", "store_8"]
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await connection.close()


async def test_notification_during_work_is_not_lost():
    wake = WakeEvent()
    wake.set()

    async with asyncio.timeout(120):
        await wake.wait(600)


async def test_message_broker_carries_notifications(app, database_url):
    heard, sent = [], []
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANNEL, lambda *call: heard.append(call[-1]))

    async def enqueue(name):
        sent.append(name)
        return name != "lost"

    async with notifier.use_task_sender(enqueue):
        for name in ("webhooks", "webhooks", "lost"):
            notifier.notify(name)
    async with asyncio.timeout(120):
        while not heard:
            await connection.execute("SELECT 1")

    # What the broker does not take goes through PostgreSQL.
    assert (sorted(sent), heard) == (["lost", "webhooks"], ["lost"])
    await connection.close()


async def test_notifications_of_one_moment_are_sent_once(app):
    sent = []

    async def enqueue(name):
        sent.append(name)
        return True

    async with notifier.use_task_sender(enqueue):
        for _ in range(20):
            notifier.notify("orders")
        await notifier.flush()
        assert sent == ["orders"]
        notifier.notify("orders")

    assert sent == ["orders", "orders"]


def test_pause_grows_with_what_was_merged_up_to_a_bound():
    assert notifier.get_pause_seconds(0) == notifier.get_pause_seconds(1) == notifier.PAUSE_SECONDS
    assert notifier.get_pause_seconds(2) == 2 * notifier.PAUSE_SECONDS
    assert notifier.get_pause_seconds(1000) == notifier.MAX_PAUSE_SECONDS
