"""Connections through a real PgBouncer, whose connections to the server are used in turn."""

import asyncio
from contextlib import AsyncExitStack

import asyncpg
import pytest
from comanda.platform.db.connections.modes import ConnectionMode, get_session_options
from comanda.platform.db.lifecycle import parse_credentials
from pgbouncer import PROGRAM, run_pgbouncer

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")

LIMITS = {"statement_timeout": "3000", "lock_timeout": "5000", "idle_in_transaction_session_timeout": "7000"}


@pytest.fixture(scope="module")
def server_url(new_database):
    return new_database("comanda_pooler")


@pytest.fixture(scope="module")
def pooler_url(server_url):
    with run_pgbouncer(server_url, pool_size=3, connect_query="SELECT 1") as through:
        yield through(server_url)


@pytest.fixture
async def pool(pooler_url):
    options = get_session_options(ConnectionMode.POOLED, LIMITS)
    async with asyncpg.create_pool(**parse_credentials(pooler_url), **options, min_size=2, max_size=6) as pool:
        yield pool


@pytest.fixture
async def direct(server_url):
    connection = await asyncpg.connect(server_url)
    yield connection
    await connection.close()


async def test_statements_of_one_connection_run_on_changing_connections_of_the_server(pool):
    async with AsyncExitStack() as stack:
        # As many transactions as there may be connections to the server open them all.
        for _ in range(3):
            connection = await stack.enter_async_context(pool.acquire())
            await stack.enter_async_context(connection.transaction())

    async with pool.acquire() as connection:
        rows = [
            await connection.fetchrow("SELECT $1::int AS number, pg_backend_pid() AS pid", number)
            for number in range(30)
        ]

    assert [row["number"] for row in rows] == [*range(30)]
    assert len({row["pid"] for row in rows}) == 3


async def test_different_statements_at_once_are_never_mixed_up(pool):
    async def ask(number):
        return await pool.fetchval(f"SELECT {number} + $1::int", 1000)

    for _ in range(20):
        assert await asyncio.gather(*map(ask, range(40))) == [1000 + number for number in range(40)]


async def test_a_transaction_is_on_one_connection_and_has_limits(pool):
    async with pool.acquire() as connection, connection.transaction():
        pids = {await connection.fetchval("SELECT pg_backend_pid()") for _ in range(10)}
        limits = {name: await connection.fetchval("SELECT current_setting($1)", name) for name in LIMITS}

    assert len(pids) == 1
    assert list(limits.values()) == ["3s", "5s", "7s"]


async def test_limits_of_a_transaction_end_with_it(pool):
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT 1")

    assert {await pool.fetchval("SHOW statement_timeout") for _ in range(6)} == {"0"}


async def test_a_savepoint_that_fails_keeps_the_limits(pool):
    async with pool.acquire() as connection, connection.transaction():
        with pytest.raises(asyncpg.DivisionByZeroError):
            async with connection.transaction():
                await connection.execute("SELECT 1 / $1::int", 0)
        assert await connection.fetchval("SHOW lock_timeout") == "5s"


async def test_a_known_statement_is_not_described_again(pool, monkeypatch):
    described = []
    original = asyncpg.Connection._get_statement

    async def record(connection, query, *args, **named):
        described.append(query)
        return await original(connection, query, *args, **named)

    monkeypatch.setattr(asyncpg.Connection, "_get_statement", record)
    async with pool.acquire() as connection:
        results = [await connection.fetchval("SELECT $1::int + 40", number) for number in range(6)]
        await connection.executemany("SELECT $1::int + 40", [(1,), (2,)])

    assert results == [40, 41, 42, 43, 44, 45]
    assert described == ["SELECT $1::int + 40"]


async def test_a_changed_type_fails_a_statement_once(pool, direct):
    await direct.execute("CREATE TABLE changing AS SELECT 7::int AS value")
    async with pool.acquire() as connection:
        assert await connection.fetchval("SELECT value FROM changing") == 7
        await direct.execute("ALTER TABLE changing ALTER value TYPE bigint")

        with pytest.raises(asyncpg.InternalClientError):
            await connection.fetchval("SELECT value FROM changing")
        assert await connection.fetchval("SELECT value FROM changing") == 7


async def test_a_notification_reaches_a_listener_behind_the_pooler(pool, direct):
    heard = asyncio.Queue()
    await direct.add_listener("comanda", lambda *message: heard.put_nowait(message[-1]))

    await pool.execute("SELECT pg_notify($1, $2)", "comanda", "outbox")

    assert await asyncio.wait_for(heard.get(), 120) == "outbox"
    await direct.remove_listener("comanda", heard.put_nowait)


async def test_limits_of_a_session_are_refused_by_the_pooler(pooler_url):
    options = get_session_options(ConnectionMode.DIRECT, LIMITS)

    with pytest.raises(asyncpg.ProtocolViolationError, match="unsupported startup parameter"):
        await asyncpg.connect(**parse_credentials(pooler_url), **options)
