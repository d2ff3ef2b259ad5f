"""The turns of periodic tasks: one process of all starts each, and none while the task still runs anywhere."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Final

from comanda.basics.clock import get_offset
from comanda.contracts.tasks import Task
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS

# A task counts as running for this long after its process last said so, which it does three times as often.
RUN_LEASE: Final = timedelta(seconds=60)

# One row per periodic task holds its last run; the process that updates it starts the task. Turns follow the test
# clock, by $3, and markers of running tasks do not: a process says in real time that it is alive.
CLAIM_TASK_TURN: Final = """
    INSERT INTO core_task_turn AS t (name, last_run_at) VALUES ($1, now() + $3::interval)
    ON CONFLICT (name) DO UPDATE SET last_run_at = now() + $3::interval
    WHERE t.last_run_at <= now() + $3::interval - $2::interval
        AND (t.running_until IS NULL OR t.running_until <= now())
"""
BEGIN_RUN: Final = """
    INSERT INTO core_task_turn AS t (name, last_run_at, running_until, runner)
    VALUES ($1, now() + $4::interval, now() + $2, $3)
    ON CONFLICT (name) DO UPDATE SET running_until = now() + $2, runner = $3
    WHERE t.running_until IS NULL OR t.running_until <= now()
"""
RENEW_RUN: Final = "UPDATE core_task_turn SET running_until = now() + $2 WHERE name = $1 AND runner = $3"
END_RUN: Final = "UPDATE core_task_turn SET running_until = NULL, runner = NULL WHERE name = $1 AND runner = $2"


async def claim_turn(task: Task) -> bool:
    """Return whether a periodic task is due and not running, and it is this process that starts it."""
    return task.every is not None and await sql.execute(CLAIM_TASK_TURN, task.name, task.every, get_offset()) > 0


async def run_task(task: Task) -> bool:
    """Run a periodic task unless it runs in some process; return whether it was run."""
    async with _running(task) as is_ours:
        if is_ours:
            await task.run()
        return is_ours


@asynccontextmanager
async def _running(task: Task) -> AsyncIterator[bool]:
    runner = secrets.token_hex(8)
    if not await sql.execute(BEGIN_RUN, task.name, RUN_LEASE, runner, get_offset()):
        yield False
        return
    renewing = asyncio.create_task(_renew(task, runner))
    try:
        yield True
    finally:
        renewing.cancel()
        with suppress(*TRANSIENT_ERRORS):
            # Otherwise the marker expires.
            await sql.execute(END_RUN, task.name, runner)


async def _renew(task: Task, runner: str) -> None:
    while True:
        await asyncio.sleep(RUN_LEASE.total_seconds() / 3)
        with suppress(*TRANSIENT_ERRORS):
            await sql.execute(RENEW_RUN, task.name, RUN_LEASE, runner)
