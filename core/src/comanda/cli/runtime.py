"""The runtime of commands that need no database."""

from comanda.composition.bootstrap import start_runtime
from comanda.platform.observability import configure_logging
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings


def load_runtime() -> Runtime:
    """Read the settings and load the plugins. Raises ``StartupError``."""
    settings = read_settings(Settings)
    configure_logging("warning", settings.log_format)
    return start_runtime(settings)
