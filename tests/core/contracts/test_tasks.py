"""Wake events."""

import asyncio

from comanda.contracts.tasks import WakeEvent


async def test_a_wake_that_nobody_rings_comes_back_after_its_time():
    loop = asyncio.get_running_loop()
    started = loop.time()

    await WakeEvent().wait(0.05)

    assert 0.04 < loop.time() - started < 1
