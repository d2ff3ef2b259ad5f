"""The position of the primary's write-ahead log, read once for all who ask at the same moment."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

# Commits that wait for the disk are on it before they are answered. Others are in memory only.
SELECT_POSITION: Final = """
    SELECT (p.position - '0/0')::bigint AS bytes, left(pg_walfile_name(p.position), 8) AS timeline
    FROM (SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
        THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS position) p
"""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A position after all commits that were answered before it was read. A failover begins another timeline."""

    timeline: int
    bytes: int


class LogReader:
    """Reads the position of the primary, for any number of requests with one statement at a time."""

    def __init__(self, primary: Any) -> None:
        self._primary = primary
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[LogPosition] | None = None

    async def read_position(self) -> LogPosition:
        """Return a position that was read after this call began. Raises the error of asyncpg without a primary."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._read())
            self._next.add_done_callback(_retrieve_error)
        # A request that is cancelled does not take the position from others.
        return await asyncio.shield(self._next)

    async def _read(self) -> LogPosition:
        async with self._lock:
            # Whoever comes after this point may have committed after the statement ran.
            self._next = None
            async with self._primary.acquire_connection() as connection:
                row = await connection.fetchrow(SELECT_POSITION)
        return LogPosition(int(row["timeline"], 16), row["bytes"])


def _retrieve_error(task: asyncio.Task[LogPosition]) -> None:
    if not task.cancelled():
        task.exception()
