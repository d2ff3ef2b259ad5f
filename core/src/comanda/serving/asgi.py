"""The application factory for other ASGI servers; everything it needs is in the environment."""

import os

from quart import Quart

from comanda.app import create_app
from comanda.bootstrap import start_runtime
from comanda.observability import configure_logging, log_uncaught
from comanda.serving.environment import WITH_BACKGROUND
from comanda.settings import Settings, read_settings


def create_application() -> Quart:
    """Create the ASGI application from the environment; other servers call this in their processes."""
    settings = read_settings(Settings)
    configure_logging(settings.log_level, settings.log_format)
    log_uncaught()
    return create_app(start_runtime(settings), with_background=os.environ.get(WITH_BACKGROUND, "1") == "1")
