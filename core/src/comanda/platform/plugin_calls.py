"""Calls of plugins: each has a deadline, its failure is logged and counted with the plugin's name, and stays its own.

A step refuses with a ``ComandaError``, or as its contract says, which reaches the caller. Whatever else it raises, and
a step that takes longer than ``plugin_step_timeout_seconds``, is a failure of the plugin.
"""

import math
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import ParamSpec, Protocol, TypeVar

import asyncpg
import structlog
from tortoise.exceptions import DBConnectionError, OperationalError

from comanda.basics.errors import ComandaError, Unavailable
from comanda.contracts.background.messaging import Undeliverable
from comanda.contracts.payments.providers import PaymentDeclined
from comanda.platform import plugin_circuits, runtime, tracing
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.deadlines import Deadline, DeadlineExceeded
from comanda.platform.observability import PLUGIN_FAILURES, plugin_var

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

# What the database does to everybody is no failure of a plugin. A plugin's own connections fail with the others.
DATABASE_ERRORS: tuple[type[Exception], ...] = (
    DBConnectionError,
    asyncpg.LockNotAvailableError,
    *(kind for kind in TRANSIENT_ERRORS if issubclass(kind, asyncpg.PostgresError | asyncpg.InterfaceError)),
)

# A step that has taken this part of its time hangs, whether it ends at last or not.
HUNG = 0.5

# What the contracts let steps raise to say no.
REFUSALS: tuple[type[Exception], ...] = (ComandaError, PaymentDeclined, Undeliverable)


class PluginFailed(Unavailable):
    """A plugin did not do its part: it raised, took too long, or returned something of a wrong type. It is logged."""

    message = "A part of the service that is needed here does not work at the moment. Try again shortly."

    def __init__(self, plugin: str, step: str, *, retry_after_seconds: int = 5) -> None:
        self.plugin = plugin
        self.step = step
        self.retry_after_seconds = retry_after_seconds
        super().__init__(retry_after_seconds=retry_after_seconds)


class StepPaused(PluginFailed):
    """A step of a plugin is not called for a while, because it has hung several times in a row."""


class plugin_context:  # noqa: N801 - used like a function; a class, because a generator takes thrice as long
    """Add ``plugin=`` to every log line that is written while the block runs."""

    __slots__ = ("_plugin", "_token")

    def __init__(self, plugin: str) -> None:
        self._plugin = plugin

    def __enter__(self) -> None:
        self._token = plugin_var.set(self._plugin)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        plugin_var.reset(self._token)


class Named(Protocol):
    """A declaration that is told from others of its plugin by its name."""

    @property
    def name(self) -> str: ...


class LimitedStep:
    """Give a step its deadline, and refuse it while its circuit is open in a scope. Raises ``StepPaused``."""

    __slots__ = ("_began_at", "_deadline", "_key", "_seconds", "_span")

    def __init__(self, plugin: str, declaration: Named, step: str, scope: int) -> None:
        self._key = (plugin, f"{declaration.name}: {step}", scope)
        self._seconds = runtime.settings().plugin_step_timeout_seconds

    def __enter__(self) -> None:
        plugin, step, scope = self._key
        if pause := plugin_circuits.get_pause_seconds(plugin, step, scope):
            raise StepPaused(plugin, step, retry_after_seconds=math.ceil(pause))
        self._began_at = time.monotonic()
        self._span = tracing.span(f"{plugin}: {step}")
        self._span.__enter__()
        self._deadline = Deadline(self._seconds)
        self._deadline.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._deadline.__exit__(kind, error, traceback)
        finally:
            self._span.__exit__(kind, error, traceback)
            if not isinstance(error, (*DATABASE_ERRORS, OperationalError)):
                has_hung = time.monotonic() - self._began_at > self._seconds * HUNG
                plugin_circuits.record_call(*self._key, self._began_at, has_hung=has_hung)


async def call_plugin_in(
    scope: int, declaration: Named, step: str, function: Callable[P, Awaitable[T]], *args: P.args, **options: P.kwargs
) -> T:
    """Return what a step of a declaration returns for a store or an owner, the ``scope``; raises like ``call_plugin``.

    A step that has hung there several times in a row is not called for a while, and ``StepPaused`` is raised at once.
    """
    plugin = runtime.registry().plugin_of(declaration)
    with catch_failures(plugin, step), LimitedStep(plugin, declaration, step, scope):
        return await function(*args, **options)


async def call_plugin(
    declaration: object, step: str, function: Callable[P, Awaitable[T]], *args: P.args, **options: P.kwargs
) -> T:
    """Return what an asynchronous step of a declaration returns.

    Raises the error that it refuses with, the errors of an unavailable database, and ``PluginFailed`` for
    everything else, as well as after ``plugin_step_timeout_seconds``.
    """
    plugin = runtime.registry().plugin_of(declaration)
    seconds = runtime.settings().plugin_step_timeout_seconds
    with catch_failures(plugin, step), tracing.span(f"{plugin}: {step}"), Deadline(seconds):
        return await function(*args, **options)


def run_plugin(declaration: object, step: str, function: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Return what a synchronous step of a declaration returns. Raises like ``call_plugin``; it has no deadline."""
    with catch_failures(runtime.registry().plugin_of(declaration), step):
        return function(*args, **options)


def check_result(declaration: object, step: str, result: object, kind: type[T]) -> T:
    """Return what a step returned. Raises ``PluginFailed`` if it is not of the type that the contract names."""
    if isinstance(result, kind):
        return result
    plugin = runtime.registry().plugin_of(declaration)
    with plugin_context(plugin):
        record_failure(plugin, step, TypeError(f"{step} returned {type(result).__name__}, not {kind.__name__}"))
    raise PluginFailed(plugin, step)


def record_failure(plugin: str, step: str, error: BaseException) -> None:
    """Log and count a failure of a plugin."""
    PLUGIN_FAILURES.labels(plugin, step).inc()
    log.error("plugin_failed", plugin=plugin, step=step, error=repr(error), exc_info=error)


@contextmanager
def catch_failures(plugin: str, step: str) -> Iterator[None]:
    """Log and count what a step of a plugin raises, and raise ``PluginFailed`` for it, as ``call_plugin`` does."""
    token = plugin_var.set(plugin)
    try:
        yield
    except REFUSALS:
        raise
    except DATABASE_ERRORS:
        raise
    except (Exception, SystemExit) as error:
        if _is_database_outage(error):
            raise
        record_failure(plugin, step, _explain(error))
        raise PluginFailed(plugin, step) from error
    finally:
        plugin_var.reset(token)


def _is_database_outage(error: BaseException) -> bool:
    return isinstance(error, OperationalError) and isinstance(error.__cause__, DATABASE_ERRORS)


def _explain(error: BaseException) -> BaseException:
    if isinstance(error, DeadlineExceeded):
        seconds = runtime.settings().plugin_step_timeout_seconds
        return TimeoutError(f"took longer than plugin_step_timeout_seconds, {seconds:g} s")
    return error
