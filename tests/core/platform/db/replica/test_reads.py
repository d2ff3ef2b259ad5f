"""Reads from a real streaming replica that falls behind, dies, freezes and is promoted."""

import asyncio
import signal

import asyncpg
import pytest
import tortoise.context
from comanda.contracts.data.model_sets import ModelSet
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform.db import sql
from comanda.platform.db.lifecycle import open_database
from comanda.platform.db.replica import reads as replica_module
from comanda.platform.db.replica.reads import open_replica, read_from_replica
from streaming_replica import StreamingReplica
from structlog.testing import capture_logs

MODELS = [ModelSet("aerich", ("aerich.models",), "comanda_migrations.core")]
SECONDS = 120
WAIT_SECONDS = 0.5
LIMITS = {"statement_timeout_seconds": 10, "idle_transaction_timeout_seconds": 10}


@pytest.fixture(scope="module")
def primary():
    with EmbeddedPostgres(create_data_folder()) as server:
        yield server


@pytest.fixture(scope="module")
def followed(primary):
    with StreamingReplica(primary) as replica:
        yield replica


@pytest.fixture
def replica(followed):
    """Yield a replica that is started and not paused."""
    followed.start()
    followed.resume()
    return followed


@pytest.fixture
def no_context(monkeypatch):
    """Hide the application that other tests of this process have opened."""
    monkeypatch.setattr(tortoise.context, "_global_context", None)


@pytest.fixture
async def database(primary, no_context, monkeypatch):
    monkeypatch.setattr(replica_module, "PROBE_SECONDS", 0.05)
    async with open_database(primary.url, MODELS, pool_size=5, **LIMITS):
        await sql.execute("CREATE TABLE IF NOT EXISTS number (value int)")
        await sql.execute("TRUNCATE number")
        yield


def reading(url, pool_size=5, wait_seconds=WAIT_SECONDS):
    return open_replica(url, pool_size=pool_size, statement_timeout_seconds=10, wait_seconds=wait_seconds)


@pytest.fixture
async def opened(database, replica, primary, monkeypatch):
    """Read from the replica, which each read waits for as long as a busy machine takes."""
    monkeypatch.setattr(replica_module, "ANSWER_SECONDS", SECONDS)
    async with reading(replica.to_url(primary.url), wait_seconds=SECONDS):
        await until(is_on_replica)
        yield


@pytest.fixture
async def hurried(database, replica, primary):
    """Read from the replica, which no read waits for long."""
    async with reading(replica.to_url(primary.url)):
        await until(is_on_replica)
        yield


@read_from_replica
async def is_on_replica():
    return await sql.fetch_value("SELECT pg_is_in_recovery()")


@read_from_replica
async def count_numbers():
    return await sql.fetch_value("SELECT count(*) FROM number"), await sql.fetch_value("SELECT pg_is_in_recovery()")


async def until(condition):
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110 - nobody could set an event
            await asyncio.sleep(0.02)


async def test_a_read_sees_what_was_committed_before(opened):
    places = set()
    for count in range(1, 101):
        await sql.execute("INSERT INTO number VALUES ($1)", count)
        found, is_replica = await count_numbers()
        assert found == count
        places.add(is_replica)

    assert places == {True}


async def test_reads_at_once_see_their_own_writes(opened):
    async def write_and_read(number):
        for step in range(20):
            value = number * 100 + step
            await sql.execute("INSERT INTO number VALUES ($1)", value)
            assert await find(value) == 1

    @read_from_replica
    async def find(value):
        return await sql.fetch_value("SELECT count(*) FROM number WHERE value = $1", value)

    await asyncio.gather(*map(write_and_read, range(8)))


async def test_a_replica_that_is_behind_is_left_out_until_it_has_caught_up(hurried, replica):
    replica.pause()
    await sql.execute("INSERT INTO number VALUES (1)")
    with capture_logs() as logs:
        assert [await count_numbers() for _ in range(3)] == [(1, False)] * 3
        replica.resume()
        await until(is_on_replica)

    assert await count_numbers() == (1, True)
    assert [line["event"] for line in logs] == ["replica_unavailable", "replica_available"]
    assert "bytes behind the primary" in logs[0]["error"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
async def test_a_replica_that_is_gone_is_left_out_until_it_is_back(hurried, replica, number):
    replica.stop(number)
    await sql.execute("INSERT INTO number VALUES (1)")
    assert [await count_numbers() for _ in range(3)] == [(1, False)] * 3

    await asyncio.to_thread(replica.start)
    await until(is_on_replica)
    assert await count_numbers() == (1, True)


async def test_a_read_that_waits_for_a_replica_that_dies_goes_to_the_primary(opened, replica):
    replica.pause()
    await sql.execute("INSERT INTO number VALUES (1)")
    waiting = asyncio.create_task(count_numbers())
    await asyncio.sleep(0.1)
    assert not waiting.done()

    replica.stop(signal.SIGKILL)

    assert await waiting == (1, False)


async def test_a_replica_that_answers_nothing_is_left_out(hurried, replica):
    await sql.execute("INSERT INTO number VALUES (1)")
    replica.freeze()
    try:
        async with asyncio.timeout(SECONDS):
            assert [await count_numbers() for _ in range(3)] == [(1, False)] * 3
    finally:
        replica.thaw()

    await until(is_on_replica)


async def test_a_read_whose_replica_dies_is_repeated_on_the_primary(opened, replica):
    places = []

    @read_from_replica
    async def read():
        places.append(await sql.fetch_value("SELECT pg_is_in_recovery()"))
        if places == [True]:
            replica.stop(signal.SIGKILL)
        return await sql.fetch_value("SELECT 7")

    assert await read() == 7
    assert places == [True, False]


async def test_a_read_in_the_way_of_the_log_is_repeated_on_the_primary(opened, replica, primary):
    await sql.execute("INSERT INTO number SELECT generate_series(1, 100)")
    replica.run("ALTER SYSTEM SET max_standby_streaming_delay = 0")
    replica.run("SELECT pg_reload_conf()")
    places = []

    @read_from_replica
    async def read():
        places.append(await sql.fetch_value("SELECT pg_is_in_recovery()"))
        return await sql.fetch_value("SELECT count(*) FROM number, pg_sleep($1)", 8 if places[-1] else 0)

    reader = asyncio.create_task(read())
    await until(lambda: asyncio.sleep(0, places))
    await asyncio.sleep(0.3)
    await sql.execute("TRUNCATE number")

    assert await reader == 0
    assert places == [True, False]
    assert await is_on_replica()


async def test_an_error_of_the_read_is_its_own(opened):
    calls = []

    @read_from_replica
    async def read():
        calls.append(await sql.fetch_value("SELECT pg_is_in_recovery()"))
        await sql.fetch_value("SELECT 1 / $1::int", 0)

    with pytest.raises(asyncpg.DivisionByZeroError):
        await read()
    assert calls == [True]


async def test_a_transaction_reads_on_the_primary(opened):
    async with sql.transaction():
        await sql.execute("INSERT INTO number VALUES (1)")
        assert await count_numbers() == (1, False)


async def test_a_transaction_within_a_read_is_on_the_primary(opened):
    @read_from_replica
    async def read():
        async with sql.transaction():
            await sql.execute("INSERT INTO number VALUES (1)")
            place = await sql.fetch_value("SELECT pg_is_in_recovery()")
        return place, await sql.fetch_value("SELECT pg_is_in_recovery()")

    assert await read() == (False, True)
    assert await sql.fetch_value("SELECT count(*) FROM number") == 1


async def test_a_task_that_outlives_a_read_uses_the_primary(opened):
    @read_from_replica
    async def read():
        return asyncio.create_task(sql.fetch_value("SELECT pg_is_in_recovery()"))

    assert await (await read()) is False


async def test_a_read_within_a_read_uses_the_same_connection(opened):
    @read_from_replica
    async def get_pid():
        return await sql.fetch_value("SELECT pg_backend_pid()")

    @read_from_replica
    async def read():
        return {await get_pid(), await sql.fetch_value("SELECT pg_backend_pid()")}

    assert len(await read()) == 1


async def test_a_full_pool_leaves_reads_to_the_primary_and_keeps_the_replica(database, replica, primary, monkeypatch):
    monkeypatch.setattr(replica_module, "ANSWER_SECONDS", 0.2)
    is_holding, may_end = asyncio.Event(), asyncio.Event()

    @read_from_replica
    async def hold():
        await sql.fetch_value("SELECT 1")
        is_holding.set()
        await may_end.wait()

    async with reading(replica.to_url(primary.url), pool_size=1):
        await until(is_on_replica)
        holder = asyncio.create_task(hold())
        await is_holding.wait()
        with capture_logs() as logs:
            assert await is_on_replica() is False
            may_end.set()
            await holder
            assert await is_on_replica() is True

    assert logs == []


async def test_a_promoted_replica_is_left_out(database, primary):
    with StreamingReplica(primary) as other:
        async with reading(other.to_url(primary.url)):
            await until(is_on_replica)
            await asyncio.to_thread(other.promote)
            await sql.execute("INSERT INTO number VALUES (1)")
            with capture_logs() as logs:
                assert await count_numbers() == (1, False)

    assert [line["event"] for line in logs] == ["replica_unavailable"]


async def test_a_server_of_other_data_is_left_out(database):
    with EmbeddedPostgres(create_data_folder()) as other:
        async with reading(other.url):
            with capture_logs() as logs:
                assert await count_numbers() == (0, False)

    assert [line["error"] for line in logs] == ["It is not a replica of the primary."]


async def test_reads_go_on_while_the_primary_is_not_one_yet(no_context, replica, primary):
    url = replica.to_url(primary.url)
    async with open_database(url, MODELS, pool_size=2, **LIMITS), reading(url):
        assert await is_on_replica()
