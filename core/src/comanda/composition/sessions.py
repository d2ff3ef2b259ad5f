"""A runtime with its database, and background work if asked, while a block runs; commands need no web framework."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import asyncpg

from comanda.basics.lazy_imports import LazyModule
from comanda.basics.startup_errors import StartupError
from comanda.platform import tracing
from comanda.platform.db.connections.keepalive import KeepaliveConnection
from comanda.platform.db.connections.modes import ConnectionMode
from comanda.platform.db.lifecycle import CONNECT_SECONDS, open_database, parse_credentials
from comanda.platform.db.replica.reads import open_replica
from comanda.platform.http.store_hosts import keep_store_hosts
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings
from comanda.platform.tasks import notifier
from comanda.platform.test_clock.services import follow_test_clock

if TYPE_CHECKING:
    from comanda.platform.tasks import broker, worker
else:
    # Commands need not wait for taskiq.
    broker, worker = LazyModule("comanda.platform.tasks.broker"), LazyModule("comanda.platform.tasks.worker")


@asynccontextmanager
async def open_runtime(made: Runtime, *, with_background: bool) -> AsyncIterator[None]:
    """Open the database, and do background work if asked, while the block runs."""
    settings = made.settings
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(open_database_of(made))
        if with_background:
            await stack.enter_async_context(create_worker(made).running())
        elif settings.redis_url is not None:
            sender = broker.TaskSender(settings.redis_url)
            stack.push_async_callback(sender.close)
            await stack.enter_async_context(notifier.use_task_sender(sender.enqueue))
        yield


@asynccontextmanager
async def open_database_of(made: Runtime) -> AsyncIterator[None]:
    """Open the database while the block runs; then send the notifications that wait."""
    settings = made.settings
    if settings.database_url is None:
        raise StartupError("No database is set: DATABASE_URL is empty and no embedded PostgreSQL was started.")
    async with (
        tracing.recording(made.registry.tracing),
        open_database(
            settings.database_url,
            made.registry.models,
            pool_size=settings.pool_size,
            statement_timeout_seconds=settings.statement_timeout_seconds,
            idle_transaction_timeout_seconds=settings.idle_transaction_timeout_seconds,
            mode=_find_mode(settings),
        ),
        open_replica(
            settings.database_replica_url,
            pool_size=settings.pool_size,
            statement_timeout_seconds=settings.statement_timeout_seconds,
            wait_seconds=settings.replica_wait_seconds,
        ),
    ):
        try:
            async with follow_test_clock(settings), keep_store_hosts(made.registry.store_hosts):
                yield
        finally:
            await notifier.flush()


def create_worker(made: Runtime) -> "worker.Worker":
    """Create the background work of this process, which ``running`` starts once the database is open."""
    settings = made.settings
    if settings.session_url is None:
        raise StartupError("No database is set.")
    return worker.Worker(made.registry, settings.redis_url, get_connector(settings.session_url))


def get_connector(url: str) -> Callable[[], Awaitable[Any]]:
    """Return what opens a connection of its own, which no pool lends out."""

    async def connect() -> Any:
        return await asyncpg.connect(
            **parse_credentials(url), timeout=CONNECT_SECONDS, connection_class=KeepaliveConnection
        )

    return connect


def _find_mode(settings: Settings) -> ConnectionMode:
    if settings.database_direct_url is None:
        return ConnectionMode.DIRECT
    return ConnectionMode.POOLED_AND_PREPARED if settings.pooler_prepares_statements else ConnectionMode.POOLED
