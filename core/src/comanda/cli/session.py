"""What commands work with: settings, plugins, and an open database, embedded or not."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click
from comanda_migrations.runner import AppliedStep

from comanda.basics.startup_errors import StartupError
from comanda.cli.environment_file import read_installed_settings
from comanda.composition.bootstrap import advice_on_refusal, start_runtime
from comanda.composition.sessions import open_database_of, open_runtime
from comanda.contracts.requests.callers import Caller
from comanda.platform import data_folder
from comanda.platform.db.connections.availability import wait_for_database
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.observability import configure_logging
from comanda.platform.plugin_lifecycle.records import record_plugins
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings

T = TypeVar("T")


@contextmanager
def installation(
    settings: Settings,
    *,
    migrated: bool = True,
    wait_seconds: float = 0,
    may_create: bool = False,
    with_plugins: bool = True,
) -> Iterator[Runtime]:
    """Open the database of ``DATABASE_URL``, or the embedded one without it, while the block runs.

    Without ``with_plugins`` core is loaded and upgraded alone, which takes half the time.
    Waits up to ``wait_seconds`` for a database that does not answer yet. Without ``may_create``, raises
    ``StartupError`` if the data folder has no embedded database yet.

    The embedded server is started again when it dies. For use outside any event loop, as starting and stopping it
    blocks. The runtime's settings name the database in either case.
    """
    configure_logging("warning", settings.log_format)
    with ExitStack() as stack:
        if settings.database_url is None:
            # Imported only now: an installation with a database of its own needs no embedded server.
            from comanda.operations.embedded.session import run_embedded

            if not may_create:
                _check_database(settings.data)
            print_data_folder(settings.data)
            url = stack.enter_context(run_embedded(settings.data, wait_seconds or None))
            settings = settings.model_copy(update={"database_url": url})
        made = start_runtime(settings, with_plugins=with_plugins)
        if wait_seconds:
            run_work(lambda: _wait_for_databases(made, wait_seconds))
        if migrated:
            upgrade(made, with_plugins=with_plugins)
        yield made


def _check_database(folder: Path) -> None:
    """Raise ``StartupError`` if a data folder has no database: an empty one would be taken for the server's."""
    if not data_folder.has_database(folder):
        raise StartupError(
            f"There is no database in {folder.resolve()}, and DATABASE_URL is not set. Name the data folder with "
            "--data, or the settings of a server with `comanda --env-file FILE`. `comanda run` and `comanda serve` "
            "create a database."
        )


async def _wait_for_databases(made: Runtime, seconds: float) -> None:
    await wait_for_database(database_url(made), seconds)
    if made.settings.database_direct_url is not None:
        # The pooler, which may start later than its server.
        await wait_for_database(made.settings.database_url or "", seconds)


def upgrade(made: Runtime, *, with_plugins: bool = True) -> list[AppliedStep]:
    """Upgrade the database, record which plugins run on it, if they are loaded, and return the applied migrations."""

    async def run() -> list[AppliedStep]:
        applied = await upgrade_database(database_url(made), made.settings, made.registry)
        if with_plugins:
            await record_plugins(database_url(made), made.registry)
        return applied

    with advice_on_refusal(made.settings):
        return run_work(run)


def print_data_folder(folder: Path) -> None:
    """Print to standard error which data folder is used if that may surprise: a chosen one, or an empty one."""
    if not data_folder.has_database(folder):
        line = f"Creating a database in {folder.resolve()}. Another data folder is named by --data or DATA."
    elif folder == data_folder.read_choice():
        line = f"Using the data folder {folder}, which `comanda run` was given here. --data names another."
    else:
        return
    click.echo(line, err=True)


def database_url(made: Runtime) -> str:
    """Return the address of the database that ``installation`` opened, for sessions of their own."""
    if made.settings.session_url is None:
        raise RuntimeError("The installation has not been opened.")
    return made.settings.session_url


def call(work: Callable[[], Awaitable[T]], data: Path | None = None) -> T:
    """Open the installation and the database, and return what ``work`` returns."""
    with installation(read_installed_settings(data)) as made:
        return call_in(made, work)


def call_core(work: Callable[[], Awaitable[T]], data: Path | None = None) -> T:
    """Return what ``work`` returns like ``call``, for work that reads core's data and is of no concern to plugins."""
    with installation(read_installed_settings(data), with_plugins=False) as made:

        async def inside() -> T:
            async with open_database_of(made):
                return await work()

        return run_work(inside)


def call_in(made: Runtime, work: Callable[[], Awaitable[T]]) -> T:
    """Open the database of an installation that is at hand, and return what ``work`` returns."""

    async def inside() -> T:
        async with open_runtime(made, with_background=False):
            return await work()

    return run_work(inside)


def to_owner_caller(owner_id: int) -> Caller:
    """Return an owner as the caller of services; the command line may do whatever owners may."""
    return Caller("owner", 0, owner_id, None, None, frozenset({"*"}), None)


def run_work(work: Callable[[], Awaitable[T]]) -> T:
    """Run a coroutine and return its result.

    A signal that ``exit_on_signals`` handles cancels it before the process exits, so that its transactions roll back:
    an exception in the middle of a statement would leave a connection on which nothing can be ended.
    """

    async def inside() -> T:
        _stop.task = asyncio.current_task()
        try:
            return await work()
        finally:
            _stop.task = None

    try:
        result = asyncio.run(inside())
    except asyncio.CancelledError:
        if _stop.exit_code is None:
            raise
    if _stop.exit_code is not None:
        sys.exit(_stop.exit_code)
    return result


@dataclass(slots=True)
class _Stop:
    """The work that a signal cancels, and the exit code once one came."""

    task: "asyncio.Task[Any] | None" = None
    exit_code: int | None = None


_stop = _Stop()


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Leave through every ``finally`` when SIGTERM or Ctrl-C comes before a server handles it; the database is let go.

    Ctrl-C is how a person ends a server, and no failure: the exit code is 0, of which ``make`` says nothing.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        # Once is enough: what lets the database go must not be interrupted.
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        code = 0 if number == signal.SIGINT else 128 + number
        if _stop.task is None:
            sys.exit(code)
        _stop.exit_code = code
        _stop.task.get_loop().call_soon_threadsafe(_stop.task.cancel)

    _stop.exit_code = None
    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def load_runtime() -> Runtime:
    """Read the settings and load the plugins. Raises ``StartupError``."""
    settings = read_settings(Settings)
    configure_logging("warning", settings.log_format)
    return start_runtime(settings)
