"""Partitions of the log tables of all plugins: their plan, their creation by a command, and their upkeep by a task."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Final

import asyncpg
import structlog
from comanda.basics import clock
from comanda.contracts import LogTable, ModelSet
from comanda.platform import runtime
from comanda_migrations.table_locks import retry_while_locked

from comanda_cluster.services.partitions import conversion, maintenance
from comanda_cluster.services.partitions.catalog import Connection, read_state
from comanda_cluster.services.partitions.sessions import open_session, try_lock

log = structlog.get_logger(__name__)

# The task gives up sooner than the command, because it runs again in an hour.
COMMAND_PATIENCE_SECONDS: Final = 300.0
TASK_PATIENCE_SECONDS: Final = 10.0
LOCK_POLL_SECONDS: Final = 0.2


def get_log_tables(models: Sequence[ModelSet]) -> dict[str, LogTable]:
    """Return the log tables of all plugins by name."""
    return {table.name: table for model_set in models for table in model_set.logs}


async def partition_tables(url: str, tables: Sequence[LogTable]) -> AsyncIterator[str]:
    """Partition tables and do what is due for them, and yield a line for each step.

    Raises ``PartitionsRefused`` for a table that cannot be partitioned.
    """
    async with open_session(url) as connection:
        while True:
            async with try_lock(connection) as is_held:
                if is_held:
                    for table in tables:
                        async for line in _partition(connection, table):
                            yield line
                    return
            await asyncio.sleep(LOCK_POLL_SECONDS)


async def _partition(connection: Connection, table: LogTable) -> AsyncIterator[str]:
    async for line in conversion.convert(connection, table, clock.now(), COMMAND_PATIENCE_SECONDS):
        yield line
    async for line in maintenance.maintain(connection, table, clock.now(), COMMAND_PATIENCE_SECONDS):
        yield line


async def maintain_partitions() -> None:
    """Maintain the tables that are partitioned; skipped while another process migrates the database."""
    url = runtime.settings().session_url
    if url is None:
        raise RuntimeError("The database has not been opened.")
    async with open_session(url) as connection, try_lock(connection) as is_held:
        if not is_held:
            return
        for table in get_log_tables(runtime.registry().models).values():
            try:
                await _maintain(connection, table)
            except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError) as error:
                log.warning("partitions_locked", table=table.name, error=str(error))


async def _maintain(connection: Connection, table: LogTable) -> None:
    state = await read_state(connection, table)
    if state is None:
        return
    if state.is_partitioned:
        async for line in maintenance.maintain(connection, table, clock.now(), TASK_PATIENCE_SECONDS):
            log.info("partitions", table=table.name, step=" ".join(line.split()))
    elif state.checked_bound is not None:
        await retry_while_locked(partial(conversion.drop_check, connection, table), TASK_PATIENCE_SECONDS)
        log.warning("partitioning_abandoned", table=table.name)
