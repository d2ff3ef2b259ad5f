"""Sessions that change partitions, one at a time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from comanda.platform.db import connect
from comanda_migrations import runner, table_locks

from comanda_cluster.services.partitions.catalog import Connection

SESSION_SETTINGS: Final = {
    "application_name": "comanda partitions",
    "client_min_messages": "warning",
    "statement_timeout": "0",
    "lock_timeout": str(int(table_locks.TABLE_LOCK_SECONDS * 1000)),
    "idle_in_transaction_session_timeout": "15s",
}


@asynccontextmanager
async def open_session(url: str) -> AsyncIterator[Connection]:
    """Open a connection for changes of partitions, past any pooler."""
    async with connect(url, server_settings=SESSION_SETTINGS) as connection:
        yield connection


@asynccontextmanager
async def try_lock(connection: Connection) -> AsyncIterator[bool]:
    """Hold the lock of migrations while the block runs, unless another process does; yield whether it is held."""
    is_held: bool = await connection.fetchval("SELECT pg_try_advisory_lock($1)", runner.LOCK)
    try:
        yield is_held
    finally:
        if is_held and not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", runner.LOCK)
