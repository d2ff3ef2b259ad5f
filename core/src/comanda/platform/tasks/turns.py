"""The turns of periodic tasks: one process of all starts each, and none while the task still runs anywhere."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Final

from comanda.basics.clock import get_offset
from comanda.contracts.background.tasks import Task
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS

# A task counts as running for this long after its process last said so, which it does three times as often.
RUN_LEASE: Final = timedelta(seconds=60)

# One row per periodic task holds its last run; the process that updates it starts the task. Turns follow the test
# clock, by $3, and markers of running tasks do not: a process says in real time that it is alive. A row that another
# process holds is one whose turn it takes.
CLAIM_TURNS: Final = """
    WITH periodic AS (SELECT * FROM unnest($1::text[], $2::interval[]) AS given (name, every)),
    due AS (
        SELECT t.name FROM core_task_turn t JOIN periodic p ON p.name = t.name
        WHERE t.last_run_at <= now() + $3::interval - p.every AND (t.running_until IS NULL OR t.running_until <= now())
        FOR UPDATE OF t SKIP LOCKED),
    claimed AS (
        UPDATE core_task_turn t SET last_run_at = now() + $3::interval FROM due WHERE t.name = due.name
        RETURNING t.name),
    first AS (
        INSERT INTO core_task_turn (name, last_run_at) SELECT p.name, now() + $3::interval FROM periodic p
        WHERE NOT EXISTS (SELECT FROM core_task_turn t WHERE t.name = p.name)
        ON CONFLICT (name) DO NOTHING RETURNING name)
    SELECT name FROM claimed UNION ALL SELECT name FROM first
"""
BEGIN_RUN: Final = """
    INSERT INTO core_task_turn AS t (name, last_run_at, running_until, runner)
    VALUES ($1, now() + $4::interval, now() + $2, $3)
    ON CONFLICT (name) DO UPDATE SET running_until = now() + $2, runner = $3
    WHERE t.running_until IS NULL OR t.running_until <= now()
"""
RENEW_RUN: Final = "UPDATE core_task_turn SET running_until = now() + $2 WHERE name = $1 AND runner = $3"
END_RUN: Final = "UPDATE core_task_turn SET running_until = NULL, runner = NULL WHERE name = $1 AND runner = $2"


async def claim_turns(tasks: Iterable[Task]) -> set[str]:
    """Return the names of the periodic tasks that are due and not running, and that this process starts."""
    periodic = {task.name: task.every for task in tasks if task.every is not None}
    rows = await sql.fetch(CLAIM_TURNS, list(periodic), list(periodic.values()), get_offset())
    return {row["name"] for row in rows}


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
