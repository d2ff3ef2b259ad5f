"""What the installed plugins declare, gathered once for all modules that make tests of it."""

from functools import cache

from comanda.composition import plugin_loader, registry
from comanda.web.api_reference.openapi import document

SITE = "https://eat.example"


@cache
def get_registry():
    """Return the registry of all installed plugins."""
    return registry.gather(plugin_loader.load())


@cache
def get_description():
    """Return the OpenAPI description of all installed plugins, which nobody may change."""
    return document(get_registry(), SITE)
