"""Nothing connects to a database that the process has closed."""

import asyncio
from urllib.parse import urlsplit

import asyncpg
import pytest
import tortoise.context
from comanda.contracts.data.model_sets import ModelSet
from comanda.devkit.testing.polling import await_condition
from comanda.platform.db.lifecycle import open_database
from tortoise.context import require_context

MODELS = [ModelSet("aerich", ("aerich.models",), "comanda_migrations.core")]
LIMITS = {"pool_size": 2, "statement_timeout_seconds": 10, "idle_transaction_timeout_seconds": 10}
COUNT_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"


@pytest.fixture
def closed_url(new_database, monkeypatch):
    """Return the URL of a database that nobody else uses; the application of other tests is hidden."""
    monkeypatch.setattr(tortoise.context, "_global_context", None)
    return new_database("comanda_closed")


async def check_nobody_is_connected(postgres, url):
    connection = await asyncpg.connect(postgres)

    async def is_nobody_connected():
        return await connection.fetchval(COUNT_SESSIONS, urlsplit(url).path[1:]) == 0

    try:
        await await_condition(is_nobody_connected, "all connections to be closed")
    finally:
        await connection.close()


async def test_late_query_fails_and_opens_no_connection(closed_url, postgres):
    async with open_database(closed_url, MODELS, **LIMITS):
        client = require_context().connections.get("default")
        await client.execute_query("SELECT 1")

    with pytest.raises(asyncpg.InterfaceError, match="The database has been closed"):
        await client.execute_query("SELECT 1")
    await check_nobody_is_connected(postgres, closed_url)


async def test_connections_that_are_being_opened_are_closed(closed_url, postgres):
    async with open_database(closed_url, MODELS, **LIMITS):
        client = require_context().connections.get("default")
        late = asyncio.create_task(client.execute_query("SELECT 1"))
        while not client._pool_init_lock.locked():  # noqa: ASYNC110 - it announces nothing
            await asyncio.sleep(0)

    with pytest.raises(asyncpg.InterfaceError, match="The database has been closed"):
        await late
    await check_nobody_is_connected(postgres, closed_url)
