"""Locks on tables that others use: a statement that waits for one holds up all that come after it, orders among them.

So it gives up soon, what its transaction has locked is released, and it begins again after a pause.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

T = TypeVar("T")

TABLE_LOCK_SECONDS = 0.5
TABLE_LOCK_PAUSE_SECONDS = 1.0
MAX_TABLE_LOCK_SECONDS = 300.0


async def limit_lock_waits(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Limit how long the statements of the open transaction wait for a lock to ``TABLE_LOCK_SECONDS``."""
    await connection.execute(f"SET LOCAL lock_timeout = {int(TABLE_LOCK_SECONDS * 1000)}")


async def retry_while_locked(
    work: Callable[[], Awaitable[T]],
    patience_seconds: float | None = None,
    on_wait: Callable[[], None] = lambda: None,
) -> T:
    """Return what ``work`` returns, which is one transaction, and try again while others have its locks.

    ``on_wait`` is called before the first pause. Raises the last error after ``patience_seconds``, by default
    ``MAX_TABLE_LOCK_SECONDS``.
    """
    deadline = time.monotonic() + (MAX_TABLE_LOCK_SECONDS if patience_seconds is None else patience_seconds)
    is_waiting = False
    while True:
        try:
            return await work()
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            if time.monotonic() > deadline:
                raise
        if not is_waiting:
            on_wait()
        is_waiting = True
        await asyncio.sleep(TABLE_LOCK_PAUSE_SECONDS)
