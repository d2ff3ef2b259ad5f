"""Connections are handed out in the order in which they were asked for, and none is lost."""

import asyncio
import gc
import weakref
from contextvars import ContextVar

import asyncpg
import pytest
from comanda.platform.db.connections.modes import ConnectionMode, get_session_options
from comanda.platform.db.connections.pool import FairPool, Work, _work, begin_work
from comanda.platform.db.lifecycle import parse_credentials


@pytest.fixture
async def pool(database_url):
    """Make a pool with a single connection."""
    # Without timers for idle connections, which asyncio keeps for a while after they are cancelled.
    options = get_session_options(ConnectionMode.DIRECT, {}) | {"max_inactive_connection_lifetime": 0}
    made = await asyncpg.create_pool(**parse_credentials(database_url), **options, min_size=1, max_size=1)
    yield FairPool(made)
    made.terminate()


class Clock:
    """The loop with a time that the test sets."""

    def __init__(self, get_time):
        self.time = get_time

    def create_future(self):
        return asyncio.get_running_loop().create_future()


async def use(pool, name, order):
    connection = await pool.acquire()
    order.append(name)
    await connection.fetchval("SELECT 1")
    await pool.release(connection)


async def start(*coroutines):
    tasks = []
    for coroutine in coroutines:
        tasks.append(asyncio.create_task(coroutine))
        await asyncio.sleep(0)
    return tasks


async def test_newcomer_does_not_overtake_those_who_wait(pool):
    order = []
    held = await pool.acquire()
    waiting = await start(use(pool, "first", order), use(pool, "second", order))
    assert pool.waiting == 2

    await pool.release(held)
    # It asks before the first in the queue has run.
    newcomer = asyncio.create_task(use(pool, "newcomer", order))
    await asyncio.gather(*waiting, newcomer)

    assert order == ["first", "second", "newcomer"]
    assert pool.waiting == 0


async def test_everyone_is_served_in_turn_under_load(pool):
    order = []

    async def come_back(name):
        for _ in range(5):
            await use(pool, name, order)

    await asyncio.gather(*(come_back(name) for name in range(20)))

    assert order == list(range(20)) * 5


async def test_work_that_began_first_takes_all_its_turns_first(pool):
    order = []

    async def use_twice(name, *, is_urgent=False):
        begin_work(is_urgent=is_urgent)
        await use(pool, name, order)
        await use(pool, name, order)

    held = await pool.acquire()
    waiting = await start(use_twice("first"), use_twice("second"), use_twice("urgent", is_urgent=True))
    await pool.release(held)
    await asyncio.gather(*waiting)

    # A turn is passed on before whoever had it asks for the next.
    assert order == ["urgent", "first", "urgent", "first", "second", "second"]


async def test_work_that_lasts_has_no_precedence(pool, monkeypatch):
    order = []
    moment = 100.0
    monkeypatch.setattr(pool, "_loop", Clock(lambda: moment))
    held = await pool.acquire()

    async def use_at(name, began_at):
        _work.set(Work(began_at))
        await use(pool, name, order)

    waiting = await start(use_at("recent", 95.0), use_at("endless", 5.0), use_at("newest", 99.0))
    await pool.release(held)
    await asyncio.gather(*waiting)

    assert order == ["recent", "newest", "endless"]


async def test_expected_wait_follows_the_queue_and_its_pace(pool, monkeypatch):
    moment = 0.0
    loop = Clock(lambda: moment)
    monkeypatch.setattr(pool, "_loop", loop)
    held = await pool.acquire()
    tasks = await start(*(use(pool, name, []) for name in range(11)))
    expected_at_start = pool.expected_wait_seconds
    moment = 2.0
    expected_when_stuck = pool.expected_wait_seconds
    await pool.release(held)
    await asyncio.gather(*tasks)

    # Nothing is known of the pace; then one connection has not been returned for two seconds, and eleven wait.
    assert (expected_at_start, expected_when_stuck) == (0.0, 22.0)
    assert pool.expected_wait_seconds == 0.0


async def test_expected_wait_counts_the_turns_of_a_request(pool, monkeypatch):
    moment = 0.0
    monkeypatch.setattr(pool, "_loop", Clock(lambda: moment))
    pool._turns, pool._works, pool._interval_seconds = 30, 10, 0.1
    held = await pool.acquire()
    tasks = await start(*(use(pool, name, []) for name in range(10)))

    # The one that holds the connection is a work of one turn.
    assert pool.expected_wait_seconds == pytest.approx(10 * 0.1 * 31 / 11)
    await pool.release(held)
    await asyncio.gather(*tasks)


async def test_turn_of_cancelled_waiter_goes_to_the_next(pool):
    order = []
    held = await pool.acquire()
    first, second, third = await start(*(use(pool, name, order) for name in ("first", "second", "third")))
    second.cancel()
    await asyncio.sleep(0)
    # The first is cancelled in the moment in which it is given the connection.
    await pool.release(held)
    first.cancel()
    await asyncio.gather(first, second, third, return_exceptions=True)

    assert order == ["third"]
    await asyncio.wait_for(use(pool, "last", order), 120)


async def test_turn_is_kept_when_connecting_fails(database_url):
    inner = await asyncpg.create_pool(
        **{**parse_credentials(database_url), "database": "no_such_database"}, min_size=0, max_size=1
    )
    pool = FairPool(inner)

    for _ in range(3):
        with pytest.raises(asyncpg.InvalidCatalogNameError):
            await asyncio.wait_for(pool.acquire(), 120)
    inner.terminate()


async def test_returning_twice_gives_no_second_turn(pool):
    connection = await pool.acquire()
    await pool.release(connection)
    await pool.release(connection)

    held = await pool.acquire()
    (waiter,) = await start(use(pool, "waiter", []))
    assert pool.waiting == 1
    await pool.release(held)
    await waiter


async def test_connection_that_died_gives_its_turn_back(pool):
    connection = await pool.acquire()
    connection.terminate()
    await pool.release(connection)

    await asyncio.wait_for(use(pool, "next", []), 120)


async def test_turn_comes_back_when_the_session_of_who_never_returns_it_ends(pool, database_url):
    leaked = await pool.acquire()
    transaction = leaked.transaction()
    await transaction.start()
    (waiter,) = await start(use(pool, "waiter", order := []))
    pid = leaked.get_server_pid()

    other = await asyncpg.connect(**parse_credentials(database_url))
    await other.execute("SELECT pg_terminate_backend($1)", pid)
    await other.close()
    await asyncio.wait_for(waiter, 120)

    # One turn came back, and returning the dead connection late brings no second one.
    await pool.release(leaked)
    assert order == ["waiter"]
    held = await pool.acquire()
    (second,) = await start(use(pool, "second", order))
    assert pool.waiting == 1
    await pool.release(held)
    await second


async def test_pool_of_the_process_is_fair(runtime):
    from comanda.platform.db import sql  # noqa: PLC0415
    from tortoise.context import require_context  # noqa: PLC0415

    await sql.fetch_value("SELECT 1")

    assert isinstance(require_context().connections.get("default")._pool, FairPool)


class Held:
    """An object in the context of who uses a connection."""


async def test_a_statement_that_stays_prepared_does_not_hold_who_used_it_first(pool):
    held = ContextVar("held")

    async def use_once():
        held.set(value := Held())
        await use(pool, "first", [])
        return weakref.ref(value)

    reference = await asyncio.create_task(use_once())
    await use(pool, "second", [])
    gc.collect()

    assert reference() is None
