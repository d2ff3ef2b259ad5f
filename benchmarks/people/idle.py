"""A minute without any request."""

import asyncio

from benchmarks.people import Row, Setting

# What is due at the start, or was caused by the rows before, is done.
SETTLE_SECONDS = 20
SECONDS = 60


async def measure_minute(setting: Setting) -> str:
    """Count the statements of all processes in a minute, and their CPU with the database's."""
    await asyncio.sleep(SETTLE_SECONDS)
    async with setting.statements() as counted:
        before = setting.cpu_seconds()
        await asyncio.sleep(SECONDS)
        taken = setting.cpu_seconds() - before
    return f"{len(counted.texts)} statements, {taken:.2f} s of CPU"


ROWS = (Row("a minute without requests", "≤ 60 statements, ≤ 0.3 s", measure_minute),)
