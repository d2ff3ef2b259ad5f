"""Wake events."""

import asyncio

from comanda.contracts.tasks import WakeEvent


async def test_wake_event_times_out():
    loop = asyncio.get_running_loop()
    started = loop.time()

    await WakeEvent().wait(0.05)

    assert 0.04 < loop.time() - started < 1
