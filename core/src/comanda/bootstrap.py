"""The first step of every process: plugins loaded, asked and checked. It opens nothing, and needs no web framework."""

import gc

from comanda import plugin_loader, registry, runtime
from comanda.redaction import configure_redaction
from comanda.runtime import Runtime
from comanda.settings import Settings


def start_runtime(settings: Settings) -> Runtime:
    """Load the plugins and make them this process's runtime. Raises ``StartupError``."""
    # What is imported and declared stays; looking through it for garbage, again and again, takes a fifth of the time.
    gc.disable()
    try:
        loaded = plugin_loader.load(disabled=settings.disabled_plugins)
        made = Runtime(settings, registry.gather(loaded))
        gc.freeze()
    finally:
        gc.enable()
    runtime.use(made)
    prefixes = [kind.prefix for kind in made.registry.caller_kinds.values()]
    configure_redaction(prefixes, made.registry.secret_paths())
    return made
