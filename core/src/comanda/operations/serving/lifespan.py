"""The lifespan of the application: its start before the first request and its end after the last one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from hypercorn.asyncio.lifespan import Lifespan
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from hypercorn.utils import LifespanTimeoutError, wrap_app

from comanda.operations.serving.limits import ABORT_SECONDS, LIFESPAN_SECONDS

log = structlog.get_logger(__name__)


@asynccontextmanager
async def run_lifespan(app: ASGIFramework) -> AsyncIterator[dict[str, Any]]:
    """Start the application, yield the state that its requests share, and stop the application in limited time.

    Raises ``LifespanFailureError`` if it cannot start, and ``CancelledError`` if it does not want to.
    """
    loop = asyncio.get_running_loop()
    config = Config()
    config.shutdown_timeout = LIFESPAN_SECONDS
    state: dict[str, Any] = {}
    lifespan = Lifespan(wrap_app(app, config.wsgi_max_body_size, "asgi"), config, loop, state)
    task = loop.create_task(lifespan.handle_lifespan())
    await lifespan.wait_for_startup()
    if task.done() and (failure := task.exception()) is not None:
        raise failure
    try:
        yield state
    finally:
        await _stop(lifespan, task)


async def _stop(lifespan: Lifespan, task: asyncio.Task[None]) -> None:
    try:
        await lifespan.wait_for_shutdown()
    except LifespanTimeoutError:
        log.warning("application_did_not_stop", seconds=LIFESPAN_SECONDS)
    task.cancel()
    # A task that swallows its cancellation is left behind.
    await asyncio.wait([task], timeout=ABORT_SECONDS)
