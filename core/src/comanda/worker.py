"""The entry point of taskiq's own command: ``taskiq worker comanda.worker:broker``.

It does what ``comanda worker`` does, in as many processes as the command starts. Settings come from the environment;
``DATABASE_URL`` and ``REDIS_URL`` are required.
"""

import asyncio
import multiprocessing
import os
import signal
from contextlib import AsyncExitStack
from functools import lru_cache
from typing import Any, Final

from taskiq import AsyncBroker, TaskiqEvents, TaskiqState

from comanda.basics.startup_errors import StartupError
from comanda.composition.bootstrap import start_runtime
from comanda.composition.sessions import create_worker, open_database_of
from comanda.platform.db.connections.availability import wait_for_database
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.loop_watchdog import watch_loop
from comanda.platform.observability import configure_logging, log_uncaught
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings
from comanda.platform.shared_metrics import share_metrics

PARENT_POLL_SECONDS: Final = 1.0


def __getattr__(name: str) -> Any:
    """Return the broker, created when it is first asked for: importing this module has no effects."""
    if name == "broker":
        return create_broker()
    raise AttributeError(name)


@lru_cache(maxsize=1)
def create_broker() -> AsyncBroker:
    """Load the plugins and create this process's broker. Raises ``StartupError``."""
    settings = read_settings(Settings)
    if settings.redis_url is None or settings.database_url is None:
        raise StartupError("taskiq's worker needs REDIS_URL and DATABASE_URL, which it shares with the web processes.")
    configure_logging(settings.log_level, settings.log_format)
    log_uncaught()
    share_metrics(settings.data)
    made = start_runtime(settings)
    worker = create_worker(made)
    stack = AsyncExitStack()

    async def start(_state: TaskiqState) -> None:
        watch = asyncio.create_task(_stop_without_parent())
        stack.callback(watch.cancel)
        await _prepare_database(made)
        await stack.enter_async_context(open_database_of(made))
        await stack.enter_async_context(worker.running(receives_tasks=False))
        stack.enter_context(watch_loop(made.registry))

    async def stop(_state: TaskiqState) -> None:
        await stack.aclose()

    worker.broker.add_event_handler(TaskiqEvents.WORKER_STARTUP, start)
    worker.broker.add_event_handler(TaskiqEvents.WORKER_SHUTDOWN, stop)
    return worker.broker


async def _prepare_database(made: Runtime) -> None:
    url = made.settings.session_url or ""
    await wait_for_database(url, made.settings.startup_timeout_seconds)
    await upgrade_database(url, made.settings, made.registry)


async def _stop_without_parent() -> None:
    """Stop this process, as SIGTERM does, when taskiq's command is gone that started it and would have stopped it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    while os.getppid() == parent.pid:  # noqa: ASYNC110 - there is no event to wait for on every system
        await asyncio.sleep(PARENT_POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
