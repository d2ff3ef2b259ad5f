"""Checks of the replica: that it follows the primary, and how far behind it is."""

from collections.abc import AsyncIterator
from typing import Final

import asyncpg

from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem
from comanda.platform.db.connections.single import connect
from comanda.platform.db.replica.connections import IDENTIFY_CLUSTER
from comanda.platform.settings import Settings

SELECT_STATE: Final = """
    SELECT pg_is_in_recovery() AS is_following,
        CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END AS replayed_bytes
"""
SELECT_WRITTEN: Final = "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint"
# What a busy primary writes in some seconds.
MAX_LAG_BYTES: Final = 64 * 1024 * 1024


async def check_replica(settings: Settings) -> AsyncIterator[CheckResult]:
    """Check the replica of DATABASE_REPLICA_URL if there is one. Raises the error of asyncpg if the primary is away."""
    if settings.database_replica_url is None or settings.session_url is None:
        return
    async with connect(settings.session_url) as primary:
        cluster = await primary.fetchval(IDENTIFY_CLUSTER)
        written_bytes = await primary.fetchval(SELECT_WRITTEN)
    try:
        async with connect(settings.database_replica_url) as replica:
            yield await _check_replica(replica, cluster, written_bytes)
    except (OSError, asyncpg.PostgresError) as error:
        yield report_problem(
            "replica", f"cannot be used: {str(error) or type(error).__name__}", "Until it can, the primary answers all."
        )


async def _check_replica(
    replica: "asyncpg.Connection[asyncpg.Record]", cluster: int, written_bytes: int
) -> CheckResult:
    state = await replica.fetchrow(SELECT_STATE)
    if state is None or await replica.fetchval(IDENTIFY_CLUSTER) != cluster or not state["is_following"]:
        return report_problem(
            "replica",
            "DATABASE_REPLICA_URL is not a replica of the database",
            "It must be the address of a streaming replica; it answers nothing now.",
        )
    lag_bytes = max(written_bytes - state["replayed_bytes"], 0)
    if lag_bytes > MAX_LAG_BYTES:
        return report_problem("replica", f"{lag_bytes:,} bytes behind", "While it is behind, the primary answers all.")
    return report_ok("replica", f"{lag_bytes:,} bytes behind")
