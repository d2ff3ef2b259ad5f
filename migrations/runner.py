"""Apply migrations: every app's files, in order, once, whoever else starts at that time and whenever one is killed.

The files, their numbering and the table ``aerich`` that records them are aerich's; its own ``upgrade`` is not used. It
keeps its app and folder on the class and its models in Tortoise's global context, so that apps run after one another
mix; it holds no lock; and it imports every app's models to apply what is plain SQL. This loop does none of that.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import asyncpg
from tortoise.backends.asyncpg.client import AsyncpgDBClient, TransactionWrapper
from tortoise.exceptions import BaseORMException

from . import table_locks
from .history import CORE, History, MigrationError, Script, Step, in_order, steps
from .new_tables import adapt_to_cluster
from .repeatable_statements import execute_again, split_statements

__all__ = [
    "CORE",
    "AppliedStep",
    "History",
    "HistoryState",
    "MigrationError",
    "Step",
    "history_state",
    "migrate",
    "pending",
]

logger = logging.getLogger(__name__)

# One lock per database for all of Comanda's migrations; the number only has to be nobody else's.
LOCK = int.from_bytes(b"comanda")
LOCK_POLL_SECONDS = 0.2
# Source: the models of aerich.models.Aerich, as Tortoise makes the table.
HISTORY_TABLE = """
CREATE TABLE IF NOT EXISTS "aerich" (
    "id" SERIAL NOT NULL PRIMARY KEY,
    "version" VARCHAR(255) NOT NULL,
    "app" VARCHAR(100) NOT NULL,
    "content" JSONB NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class AppliedStep:
    """A migration file that ``migrate`` has applied, and how long it took."""

    app: str
    version: str
    seconds: float


@dataclass(frozen=True, slots=True)
class HistoryState:
    """Where a database and an app's files stand.

    ``missing`` are recorded but have no file. An app of which no history is installed has only those: its plugin was
    removed, its tables and rows stay, and put back it goes on from there.
    """

    app: str
    installed: bool
    applied: tuple[str, ...]
    pending: tuple[str, ...]
    missing: tuple[str, ...]


async def migrate(database_url: str, histories: Sequence[History]) -> list[AppliedStep]:
    """Apply what is not yet applied, core first, and return that.

    Each file and its row in the history are one transaction, and all run under one advisory lock: another process waits
    and then finds nothing to do. Raises ``MigrationError`` before anything is applied if an app's record does not fit
    its files, and naming the file if its SQL fails; what went before that file stays applied.
    """
    planned = {history.app: steps(history) for history in in_order(histories)}
    async with _session(database_url) as connection, _lock(connection):
        await connection.execute(HISTORY_TABLE)
        applied = await _applied(connection)
        for app, files in planned.items():
            _check(app, files, applied.get(app, ()))
        todo = [step for app, files in planned.items() for step in files if step.version not in applied.get(app, ())]
        return [await _apply(connection, step) for step in todo]


async def pending(database_url: str, histories: Sequence[History]) -> list[Step]:
    """List what ``migrate`` would apply, in its order. Changes nothing, not even on an empty database.

    Raises ``MigrationError`` if an app's record does not fit its files, as ``migrate`` does.
    """
    planned = [(history.app, steps(history)) for history in in_order(histories)]
    async with _session(database_url) as connection:
        applied = await _applied(connection)
    for app, files in planned:
        _check(app, files, applied.get(app, ()))
    return [step for app, files in planned for step in files if step.version not in applied.get(app, ())]


async def history_state(database_url: str, histories: Sequence[History]) -> list[HistoryState]:
    """Tell for every app, installed or only recorded, what is applied, pending and missing. Changes nothing."""
    planned = {history.app: [step.version for step in steps(history)] for history in in_order(histories)}
    async with _session(database_url) as connection:
        applied = await _applied(connection)
    removed = sorted(applied.keys() - planned.keys())
    return [
        HistoryState(
            app=app,
            installed=app in planned,
            applied=tuple(applied.get(app, ())),
            pending=tuple(version for version in planned.get(app, ()) if version not in applied.get(app, ())),
            missing=tuple(version for version in applied.get(app, ()) if version not in planned.get(app, ())),
        )
        for app in [*planned, *removed]
    ]


@asynccontextmanager
async def _session(database_url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    # Tortoise's name for the driver is one that the driver itself does not know.
    connection = await asyncpg.connect(
        database_url.replace("asyncpg://", "postgresql://", 1),
        # A role's limits are meant for requests. As parameters of the session, they are refused by a pooler, on whose
        # connections the lock would stay behind.
        server_settings={
            "statement_timeout": "0",
            "lock_timeout": "0",
            "idle_in_transaction_session_timeout": "0",
            # On a cluster, triggers run beside the rows. Servers without Citus ignore this.
            "citus.enable_unsafe_triggers": "on",
        },
    )
    try:
        # After kill -9 of this process the server would run its statement to the end, and hold the lock as long; so it
        # looks for us every second. Some servers' systems cannot.
        with suppress(asyncpg.PostgresError):
            await connection.execute("SET client_connection_check_interval = '1s'")
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def _lock(connection: "asyncpg.Connection[asyncpg.Record]") -> AsyncIterator[None]:
    """Hold the advisory lock; PostgreSQL lets it go by itself when the session ends, however it ends."""
    if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        logger.info("another process is migrating this database; waiting for it")
        # Waiting in a statement would keep a snapshot, and CREATE INDEX CONCURRENTLY of the other would wait for us.
        while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):  # noqa: ASYNC110
            await asyncio.sleep(LOCK_POLL_SECONDS)
    try:
        yield
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", LOCK)


async def _applied(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, list[str]]:
    """Read the versions recorded for each app, in the order of their application."""
    if await connection.fetchval("SELECT to_regclass('aerich')") is None:
        return {}
    found: dict[str, list[str]] = {}
    for row in await connection.fetch('SELECT "app", "version" FROM "aerich" ORDER BY "id"'):
        found.setdefault(row["app"], []).append(row["version"])
    return found


def _check(app: str, files: Sequence[Step], applied: Sequence[str]) -> None:
    """Refuse a record that the files do not know: going on would build on tables that nobody here can describe."""
    known = {step.version for step in files}
    last = files[-1].number if files else -1
    if files and applied and known.isdisjoint(applied):
        raise MigrationError(
            f"The database was created by an unreleased version of {app}, from which there is no upgrade (it has "
            f"{applied[0]}, the installed files begin with {files[0].version}): export what you need "
            "with that version, then use an empty database, or a new data folder: `comanda run --data FOLDER`.",
            app,
        )
    for version in applied:
        if version in known:
            continue
        newest = files[-1] if files else "nothing"
        if int(version.split("_", 1)[0]) > last:
            raise MigrationError(
                f"The database is newer than the installed {app}: it has {version}, the installed files end with "
                f"{newest}. Install the {app} that brought {version}, or restore a backup from before it.",
                app,
            )
        raise MigrationError(
            f"The database has {version} of {app}, which is not among the installed files (they end with {newest}). "
            "A migration that was applied must keep its name.",
            app,
        )


async def _apply(connection: "asyncpg.Connection[asyncpg.Record]", step: Step) -> AppliedStep:
    """Apply one file and record it."""
    script = step.load()
    began = time.monotonic()
    if script.is_transaction:
        await _apply_without_long_locks(connection, step, script)
    else:
        await _apply_statements(connection, step, script)
    taken = AppliedStep(step.app, step.version, time.monotonic() - began)
    logger.info("applied %s in %.2f s", step, taken.seconds)
    return taken


async def _apply_without_long_locks(
    connection: "asyncpg.Connection[asyncpg.Record]", step: Step, script: Script
) -> None:
    """Apply a file in one transaction, again and again while tables that it changes are locked by others."""
    try:
        await table_locks.retry_while_locked(
            lambda: _apply_transaction(connection, step, script),
            on_wait=lambda: logger.info("%s waits for a table that other transactions use", step),
        )
    except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError) as error:
        raise MigrationError(
            f"{step} changed nothing: for {table_locks.MAX_TABLE_LOCK_SECONDS:.0f} s other transactions have locked a "
            f"table that it changes ({error}). End them, or try again when they have ended.",
            step.app,
        ) from error


async def _apply_transaction(connection: "asyncpg.Connection[asyncpg.Record]", step: Step, script: Script) -> None:
    async with connection.transaction():
        await table_locks.limit_lock_waits(connection)
        try:
            # The simple query protocol, which takes several statements at once.
            text = await script.upgrade(_client(connection))
            await connection.execute(await adapt_to_cluster(connection, text))
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            raise
        except (asyncpg.PostgresError, BaseORMException) as error:
            if isinstance(error.__cause__, asyncpg.LockNotAvailableError):
                raise error.__cause__ from error
            raise MigrationError(f"{step} failed and changed nothing: {error}", step.app) from error
        if not connection.is_in_transaction():
            raise MigrationError(f"{step} ends the transaction it runs in. Remove its COMMIT or ROLLBACK.", step.app)
        await _record(connection, step, script)


async def _apply_statements(connection: "asyncpg.Connection[asyncpg.Record]", step: Step, script: Script) -> None:
    """Apply a file whose statements are transactions of their own, and may be repeated after a kill."""
    statements = split_statements(step, await script.upgrade(_client(connection)))
    try:
        for statement in statements:
            await execute_again(connection, statement)
    except asyncpg.PostgresError as error:
        raise MigrationError(
            f"{step} failed: {error}. The statements before stay applied, and the next start begins again.", step.app
        ) from error
    await _record(connection, step, script)


async def _record(connection: "asyncpg.Connection[asyncpg.Record]", step: Step, script: Script) -> None:
    await connection.execute(
        'INSERT INTO "aerich" ("version", "app", "content") VALUES ($1, $2, $3::jsonb)',
        step.version,
        step.app,
        script.models_state,
    )


def _client(connection: "asyncpg.Connection[asyncpg.Record]") -> TransactionWrapper:
    """Wrap the connection as the Tortoise client that aerich passes to ``upgrade``: a file may read rows through it."""
    client = AsyncpgDBClient(connection_name="default")
    client._connection = connection  # a client takes a connection from its pool only, and this one has its transaction
    return TransactionWrapper(client)
