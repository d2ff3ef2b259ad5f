"""Wake events."""

import asyncio

from comanda.contracts.background.tasks import WakeEvent


async def test_wake_event_times_out():
    earlier = []
    asyncio.get_running_loop().call_later(0.02, earlier.append, "earlier")

    await WakeEvent().wait(0.05)

    assert earlier == ["earlier"]
