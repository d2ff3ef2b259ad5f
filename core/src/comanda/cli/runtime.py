"""The runtime of commands that need no database."""

from comanda.bootstrap import start_runtime
from comanda.observability import configure_logging
from comanda.runtime import Runtime
from comanda.settings import Settings, read_settings


def load_runtime() -> Runtime:
    """Read the settings and load the plugins. Raises ``StartupError``."""
    settings = read_settings(Settings)
    configure_logging("warning", settings.log_format)
    return start_runtime(settings)
