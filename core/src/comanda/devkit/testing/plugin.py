"""Pytest fixtures: an application with its own database, clients, owners and stores."""

import asyncio
import logging
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit
from zlib import crc32

import asyncpg
import orjson
import pytest
import pytest_asyncio
from comanda_migrations import runner
from quart import Quart

from comanda.basics import clock as clock_module
from comanda.composition import plugin_loader, registry
from comanda.composition.app import create_app
from comanda.composition.bootstrap import start_runtime
from comanda.devkit.testing.callers import TestOwner, create_test_owner
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.clock import FakeClock
from comanda.devkit.testing.dashboard import DashboardClient, sign_in
from comanda.devkit.testing.data_folders import choose_place
from comanda.devkit.testing.forked_processes import get_run_id
from comanda.devkit.testing.mcp import McpClient
from comanda.devkit.testing.messages import SentMessages, record_messages
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.devkit.testing.stores import TestStore
from comanda.devkit.testing.tasks import run_task as run_task_once
from comanda.devkit.testing.templates import keep_compiled_templates
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.events import dispatcher
from comanda.platform.http import rate_limits
from comanda.platform.http.overload import LoadShedder
from comanda.platform.observability import configure_logging
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings
from comanda.platform.tasks import notifier

METRICS_TOKEN = "metrics-token-of-tests"
# The name of the database that those with the tables of all plugins are copied from begins so; its end are the plugins.
# Its comment names the run that it was made in.
TEMPLATE = "comanda_test_template"
TEMPLATE_LOCK = int.from_bytes(b"template")
SELECT_RUN_OF_DATABASE = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1"
# The next minutes of rate limits.
_minutes = count(int(time.time() // rate_limits.WINDOW_SECONDS))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server for new databases, shared by all pytest workers."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    # All pytest workers of one run share a folder, accessible to an unprivileged account if tests run as root.
    folder = choose_place() / f"comanda-tests-{get_run_id()}"
    folder.mkdir(mode=0o755, exist_ok=True)
    with EmbeddedPostgres(folder) as server:
        asyncio.run(_disable_durability(server.url))
        yield server.url
    if not (folder / "postgres" / "postmaster.pid").exists():
        # The last worker has stopped the server.
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def new_database(postgres: str) -> Callable[[str], str]:
    """Return a function that creates an empty database, replacing an existing one, and returns its URL.

    Each pytest worker has its own database of a name, whose end is the worker's.
    """
    return lambda name: _create_for_worker(postgres, name, _create_database)


@pytest.fixture(scope="session")
def new_migrated_database(postgres: str) -> Callable[[str], str]:
    """Return a function that creates a database with the tables of all installed plugins and returns its URL.

    The migrations run once for all pytest workers; a database is a copy of their result, as with ``new_database`` each
    worker's own.
    """
    return lambda name: _create_for_worker(postgres, name, _create_migrated_database)


@pytest.fixture(scope="session")
def database_url(new_migrated_database: Callable[[str], str]) -> str:
    """Return the URL of the database of this pytest worker."""
    return new_migrated_database("comanda_test")


@pytest.fixture(scope="session")
def settings(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return the settings of core, with limits of rates and of time that only tests of such limits reach."""
    return read_settings(
        Settings,
        database_url=database_url,
        redis_url=os.environ.get("TEST_REDIS_URL"),
        data=Path(tmp_path_factory.mktemp("data")),
        public_url="http://comanda.test",
        development=True,
        metrics_token=METRICS_TOKEN,
        requests_per_minute=1_000_000,
        # Tests send codes to the same few phones.
        login_codes_per_address=1_000_000,
        mcp_messages_per_minute=1_000_000,
        mcp_calls_per_minute=1_000_000,
        mcp_public_calls_per_minute=1_000_000,
        # On a busy machine a statement may take as long as a broken one elsewhere.
        statement_timeout_seconds=MAX_WAIT_SECONDS,
        idle_transaction_timeout_seconds=MAX_WAIT_SECONDS,
        request_timeout_seconds=MAX_WAIT_SECONDS,
        plugin_step_timeout_seconds=MAX_WAIT_SECONDS,
    )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def app(settings: Settings) -> AsyncIterator[Quart]:
    """Run the application with every installed plugin, without background work."""
    configure_logging("warning", "json")
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    keep_compiled_templates()
    made = start_runtime(settings)
    await upgrade_database(settings.database_url or "", settings, made.registry)
    # On a slow machine a hundred requests at once wait longer than a server would let them.
    shedder = LoadShedder(max_wait_seconds=MAX_WAIT_SECONDS)
    application = create_app(made, with_background=False, shedder=shedder)
    # Its `open` returns one type only.
    application.test_client_class = cast("type[Any]", CheckedClient)
    async with application.test_app():
        yield application
        # The loop may have stopped in the middle of a notification while tests without one ran.
        await notifier.flush()


@pytest.fixture
def runtime(app: Quart) -> Runtime:
    """Return the settings and the registry."""
    return runtime_module.current()


@pytest.fixture
def client(app: Quart) -> CheckedClient:
    """Return a client that validates every answer."""
    made = app.test_client()
    assert isinstance(made, CheckedClient)
    return made


@pytest.fixture
def mcp(client: CheckedClient) -> Callable[..., McpClient]:
    """Return a function that creates an MCP client from the path of a server and headers."""
    return partial(McpClient, client)


@pytest_asyncio.fixture(loop_scope="session")
async def owner(app: Quart) -> TestOwner:
    """Create an owner with a token for all scopes."""
    return await create_test_owner()


@pytest_asyncio.fixture(loop_scope="session")
async def other_owner(app: Quart) -> TestOwner:
    """Create another owner, who must not see anything of the first."""
    return await create_test_owner()


@pytest_asyncio.fixture(loop_scope="session")
async def store_id(owner: TestOwner) -> int:
    """Create a restaurant of the owner and return its id."""
    return await owner.store()


@pytest.fixture
def store(client: CheckedClient, owner: TestOwner, store_id: int) -> TestStore:
    """Return the restaurant of the owner, used over HTTP."""
    return TestStore(client, owner, store_id)


@pytest_asyncio.fixture(loop_scope="session")
async def dashboard(app: Quart, owner: TestOwner) -> DashboardClient:
    """Return the owner, signed in to the dashboard."""
    return await sign_in(app, owner.id)


@pytest.fixture
def open_store(client: CheckedClient, owner: TestOwner) -> Callable[..., Awaitable[TestStore]]:
    """Return a function that creates a store of the owner; it takes a store type and options of ``TestOwner.store``."""

    async def of_type(store_type: str, **options: Any) -> TestStore:
        return TestStore(client, owner, await owner.store(store_type, **options))

    return of_type


@pytest.fixture(autouse=True)
def own_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the requests of the test in a minute of its own, which stands still ten seconds after its beginning.

    Rate limits are of whole minutes, so a minute that ended during a test would let some of its requests through.
    """
    seconds = float(rate_limits.WINDOW_SECONDS * next(_minutes) + 10)
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: seconds))


@pytest.fixture
def clock(app: Quart) -> Iterator[FakeClock]:
    """Yield a stopped clock that the test controls."""
    fake = FakeClock(clock_module.now())
    clock_module.use_clock(fake)
    yield fake
    clock_module.use_clock(None)


@pytest.fixture
def advance_time(app: Quart) -> Iterator[Callable[..., None]]:
    """Yield a function that moves time forward by arguments of ``timedelta``, as the test clock does.

    Unlike ``clock``, the time goes on, and what is compared with the clock of the database moves along.
    """

    def advance(**delta: float) -> None:
        clock_module.set_offset(clock_module.get_offset() + timedelta(**delta))

    yield advance
    clock_module.set_offset(clock_module.NO_OFFSET)


@pytest.fixture
def published(owner: TestOwner) -> Callable[[], Any]:
    """Return a function that returns the events of the owner so far, oldest first, as ``(name, data)``."""

    async def events() -> list[tuple[str, dict[str, Any]]]:
        rows = await sql.fetch("SELECT name, data FROM core_outbox WHERE owner_id = $1 ORDER BY id", owner.id)
        return [(row["name"], orjson.loads(row["data"])) for row in rows]

    return events


@pytest.fixture
def dispatch(app: Quart) -> Callable[[], Any]:
    """Return a function that dispatches all waiting events to their handlers."""

    async def all_events() -> None:
        while await dispatcher.dispatch_batch():
            pass

    return all_events


@pytest_asyncio.fixture(loop_scope="session")
async def sent_messages(app: Quart) -> AsyncIterator[SentMessages]:
    """Yield a function that sends the messages that wait, to nobody, and returns all of this test's."""
    async with record_messages() as sent:
        yield sent


@pytest.fixture
def run_task(app: Quart) -> Callable[[str], Awaitable[None]]:
    """Return a function that runs a task once, by its name."""
    return run_task_once


async def _disable_durability(server: str) -> None:
    """Turn off durability on a temporary server."""
    connection = await asyncpg.connect(server)
    try:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            await connection.execute(f"ALTER SYSTEM SET {setting} = off")
        await connection.execute("SELECT pg_reload_conf()")
    finally:
        await connection.close()


async def _create_database(server: str, name: str, template: str = "template1") -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    finally:
        await connection.close()


async def _create_migrated_database(server: str, name: str) -> None:
    """Copy the template to a new database; create it first unless a worker of this run has done so.

    Runs of the same plugins that share a server replace each other's template. Hence the lock is held until the copy is
    made. Those of other plugins, such as of one within ours, have a template of their own.
    """
    connection = await asyncpg.connect(server)
    plugins = " ".join(sorted(point.name for point in plugin_loader.discover()))
    template = f"{TEMPLATE}_{crc32(plugins.encode()):08x}"
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", TEMPLATE_LOCK)
        if await connection.fetchval(SELECT_RUN_OF_DATABASE, template) != get_run_id():
            await _create_database(server, template)
            await runner.migrate(_name_database(server, template), registry.gather(plugin_loader.load()).models)
            await connection.execute(f"COMMENT ON DATABASE {template} IS '{get_run_id()}'")
        await _create_database(server, name, template)
    finally:
        await connection.close()


def _create_for_worker(server: str, name: str, create: Callable[[str, str], Coroutine[Any, Any, None]]) -> str:
    """Create a database of this pytest worker and return its URL."""
    own_name = f"{name}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    asyncio.run(create(server, own_name))
    return _name_database(server, own_name)


def _name_database(server: str, name: str) -> str:
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
