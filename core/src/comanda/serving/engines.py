"""Other ASGI servers, installed as extras."""

import os
from enum import StrEnum
from importlib import import_module
from typing import Any

from comanda.serving.environment import build_environment
from comanda.serving.process import BACKLOG, GRACE_SECONDS, KEEP_ALIVE_SECONDS
from comanda.settings import Settings
from comanda.startup_errors import StartupError

FACTORY = "comanda.serving.asgi:create_application"


class Engine(StrEnum):
    """The servers that `comanda serve --server` knows."""

    HYPERCORN = "hypercorn"
    GRANIAN = "granian"
    UVICORN = "uvicorn"


def run_engine(engine: Engine, settings: Settings, count: int, *, with_background: bool) -> None:
    """Serve with ``engine`` in ``count`` processes until stopped. Raises ``StartupError`` if it is missing."""
    try:
        module = import_module(engine.value)
    except ModuleNotFoundError as error:
        raise StartupError(
            f"{engine.value} is not installed. Install comanda-core[{engine.value}], or omit --server."
        ) from error
    # Both start their own processes, which read these settings from the environment.
    os.environ.update(build_environment(settings, with_background=with_background))
    if engine is Engine.UVICORN:
        _run_uvicorn(module, settings, count)
    else:
        _run_granian(module, settings, count)


def _run_uvicorn(module: Any, settings: Settings, count: int) -> None:
    module.run(
        FACTORY,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=count,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        access_log=False,
        log_config=None,
        server_header=False,
        # The gateway evaluates forwarded addresses, as it knows how many proxies to trust.
        proxy_headers=False,
    )


def _run_granian(module: Any, settings: Settings, count: int) -> None:
    module.Granian(
        FACTORY,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface="asgi",
        workers=count,
        backlog=BACKLOG,
        workers_kill_timeout=GRACE_SECONDS,
        respawn_failed_workers=True,
        log_access=False,
        log_level="warning",
    ).serve()
