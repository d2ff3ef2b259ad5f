"""A web process of the supervisor's, or of another ASGI server's: everything it needs stands in its environment."""

import os
import socket
import sys

from quart import Quart

from comanda.app import create_app, start
from comanda.observability import configure_logging
from comanda.runtime import Runtime
from comanda.serving.environment import WITH_BACKGROUND
from comanda.serving.process import run_server
from comanda.settings import Settings, read


def application() -> Quart:
    """Make the ASGI application from the environment; the factory that other servers call in their processes."""
    return create_app(_runtime(), with_background=_with_background())


def _runtime() -> Runtime:
    settings = read(Settings)
    configure_logging(settings.log_level, settings.log_format)
    return start(settings)


def _with_background() -> bool:
    return os.environ.get(WITH_BACKGROUND, "1") == "1"


def main() -> None:
    """Serve on the inherited socket until told to stop or left alone."""
    listening, parent_pipe = map(int, sys.argv[1:])
    run_server(_runtime(), socket.socket(fileno=listening), with_background=_with_background(), parent_pipe=parent_pipe)


if __name__ == "__main__":
    main()
