"""The first step of every process: plugins loaded, asked and checked. It opens nothing, and needs no web framework."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from comanda_migrations.history import MigrationError

from comanda.basics.redaction import configure_redaction
from comanda.basics.startup_errors import StartupError
from comanda.composition import plugin_loader, registry
from comanda.platform import runtime
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings


@contextmanager
def advice_on_refusal(settings: Settings) -> Iterator[None]:
    """Append to a refusal to start, raised in the block, how to start without the plugins that it is about."""
    try:
        yield
    except (StartupError, MigrationError) as error:
        plugins = error.plugins if isinstance(error, StartupError) else filter(None, [error.app])
        if advice := plugin_loader.describe_start_without(list(plugins), settings.disabled_plugins):
            error.args = (f"{error} {advice}",)
        raise


def start_runtime(settings: Settings, *, with_plugins: bool = True) -> Runtime:
    """Load core with the plugins, or alone, and make them this process's runtime. Raises ``StartupError``."""
    # What is imported and declared stays; looking through it for garbage, again and again, takes a fifth of the time.
    gc.disable()
    try:
        with advice_on_refusal(settings):
            loaded = (
                plugin_loader.load(disabled=settings.disabled_plugins) if with_plugins else plugin_loader.load_core()
            )
            made = Runtime(settings, registry.gather(loaded))
        gc.freeze()
    finally:
        gc.enable()
    runtime.use(made)
    prefixes = [kind.prefix for kind in made.registry.caller_kinds.values()]
    configure_redaction(prefixes, made.registry.secret_paths())
    return made
