"""Connections to a replica, which know how far its server has replayed the primary's log."""

import asyncio
from typing import Any, Final

from tortoise.backends.asyncpg.client import AsyncpgDBClient

from comanda.platform.db.connections.pooled import PooledConnection
from comanda.platform.db.orm.engine import OwnedTransaction
from comanda.platform.db.replica.log_position import LogPosition

# The control file knows the timeline that is replayed, after a failover perhaps only minutes later.
SELECT_TIMELINE: Final = """
    SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) FROM pg_control_checkpoint() c, pg_control_recovery() r
"""
SELECT_REPLAYED: Final = "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END"
IDENTIFY_CLUSTER: Final = "SELECT system_identifier FROM pg_control_system()"


class ReplicaUnusable(Exception):
    """The replica cannot answer reads at present; the message says why."""


class ReplicaConnection(PooledConnection):
    """A connection to one server, whose position never goes back while the connection lasts."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._timeline = 0
        self._replayed_bytes = 0

    async def count_missing_bytes(self, position: LogPosition) -> int:
        """Return how much of the log up to ``position`` has yet to be replayed; 0 for nothing.

        Raises ``ReplicaUnusable`` if the server replays another log, or none.
        """
        if self._timeline != position.timeline:
            self._timeline = await self.fetchval(SELECT_TIMELINE)
            if self._timeline != position.timeline:
                raise ReplicaUnusable(f"It follows timeline {self._timeline}, the primary is on {position.timeline}.")
        if self._replayed_bytes < position.bytes:
            replayed_bytes = await self.fetchval(SELECT_REPLAYED)
            if replayed_bytes is None:
                raise ReplicaUnusable("It does not follow a primary.")
            self._replayed_bytes = replayed_bytes
        return max(position.bytes - self._replayed_bytes, 0)


class ReplicaReader(OwnedTransaction):
    """The database as a read on the replica sees it: its statements run there, its transactions on the primary.

    Tasks that the read starts, and that may outlast it, use the primary.
    """

    def __init__(self, primary: AsyncpgDBClient, connection: Any) -> None:
        super().__init__(primary)
        self._connection = connection
        self._task = asyncio.current_task()

    def acquire_connection(self) -> Any:
        """Return a wrapper around the connection."""
        if asyncio.current_task() is self._task:
            return super().acquire_connection()
        return self._parent.acquire_connection()

    def _in_transaction(self) -> Any:
        return self._parent._in_transaction()
