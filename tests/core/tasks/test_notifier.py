"""Notification of queue workers."""

import asyncio

import asyncpg
from comanda.contracts.tasks import WakeEvent
from comanda.tasks import notifier


async def test_notification_reaches_another_process(app, database_url):
    """Listen on a connection of its own, as another process does, and ring here."""
    heard = asyncio.Event()
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANNEL, lambda *_: heard.set())

    notifier.notify("outbox")
    async with asyncio.timeout(2):
        await heard.wait()

    await connection.close()


async def test_notification_stays_local_if_this_process_listens(app, database_url):
    elsewhere = []
    connection = await asyncpg.connect(database_url)
    await connection.add_listener(notifier.CHANNEL, lambda *call: elsewhere.append(call[-1]))
    listener = notifier.Listener(lambda: asyncpg.connect(database_url))
    wake = listener.subscribe("here")

    notifier.notify("here")
    notifier.notify("elsewhere")
    await notifier.flush()
    async with asyncio.timeout(2):
        await wake.wait(5)
        while not elsewhere:
            await connection.execute("SELECT 1")

    assert elsewhere == ["elsewhere"]
    listener.unsubscribe("here", wake)
    await connection.close()


async def test_notification_of_another_process_sets_event(app, database_url):
    listener = notifier.Listener(lambda: asyncpg.connect(database_url))
    wake = listener.subscribe("outbox")
    listening = asyncio.create_task(listener.run())
    other = await asyncpg.connect(database_url)
    await wake.wait(2)  # the first ring says that it listens now
    loop = asyncio.get_running_loop()

    started = loop.time()
    await other.execute("SELECT pg_notify($1, 'outbox')", notifier.CHANNEL)
    await wake.wait(5)
    took = loop.time() - started

    assert took < 1
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    listener.unsubscribe("outbox", wake)
    await other.close()


async def test_the_listener_comes_back_after_its_connection_broke(app, database_url, monkeypatch):
    opened = []

    async def connect():
        opened.append(await asyncpg.connect(database_url))
        return opened[-1]

    monkeypatch.setattr(notifier, "RECONNECT_SECONDS", 0.01)
    listener = notifier.Listener(connect)
    wake = listener.subscribe("outbox")
    listening = asyncio.create_task(listener.run())
    await wake.wait(2)

    opened[0].terminate()
    await wake.wait(2)

    assert len(opened) == 2
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    listener.unsubscribe("outbox", wake)


async def test_notification_during_work_is_not_lost():
    wake = WakeEvent()
    wake.set()

    async with asyncio.timeout(1):
        await wake.wait(30)
