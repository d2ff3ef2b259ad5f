"""HTTP engines: the programs that read requests from connections and pass them to the application.

Each module has one function ``serve``, which serves the application on a bound socket until it is told to stop. The
engine runs in a process of ours, which starts, signals and restarts it, so that these are the same on every engine.
"""

import socket
from collections.abc import Awaitable, Callable
from enum import StrEnum
from importlib import import_module
from typing import Any, Protocol, cast

from hypercorn.typing import ASGIFramework

from comanda.operations.serving.limits import ConnectionLimits


class Engine(StrEnum):
    """The HTTP engines that `comanda serve --engine` knows."""

    HYPERCORN = "hypercorn"
    UVICORN = "uvicorn"


class Serve(Protocol):
    """Serves an application on a socket, which it closes, until ``shutdown_trigger`` returns.

    Requests in progress are finished, within ``GRACE_SECONDS`` in total.
    """

    async def __call__(
        self,
        app: ASGIFramework,
        sock: socket.socket,
        limits: ConnectionLimits,
        *,
        shutdown_trigger: Callable[[], Awaitable[Any]],
    ) -> None: ...


def load_engine(engine: Engine) -> Serve:
    """Import an engine; a process that serves on one needs no other."""
    return cast("Serve", import_module(f"{__name__}.{engine.value}").serve)
