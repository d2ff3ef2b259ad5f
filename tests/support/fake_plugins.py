"""Plugins that exist for one test, and an application with them beside the installed ones."""

import types
from contextlib import contextmanager
from dataclasses import replace

from comanda import hookimpl
from comanda.composition import plugin_loader, registry
from comanda.composition.app import create_app
from comanda.contracts.registry import Plugin
from comanda.devkit.testing.client import CheckedClient
from comanda.platform import runtime as runtime_module


def fake_plugin(name, **hooks):
    """Make a plugin whose hooks return what is given."""
    module = types.ModuleType(f"comanda_{name}.plugin")
    for hook, declared in hooks.items():
        setattr(module, hook, hookimpl(lambda declared=declared: declared))
    return Plugin(name, f"comanda-{name}", "1.0", (module,))


def registry_with(*plugins):
    """Return the registry of the installed plugins and these."""
    return registry.gather([*plugin_loader.load(), *plugins])


@contextmanager
def serving(runtime, made):
    """Use another registry in this process, and yield a client of its application.

    The tests of a module that use the same registry share its application, which takes half a second to create.
    """
    before = runtime_module.current()
    used = replace(runtime, registry=made)
    runtime_module.use(used)
    try:
        yield _get_application(used).test_client()
    finally:
        runtime_module.use(before)


_latest = []


def _get_application(used):
    if not _latest or _latest[0].registry is not used.registry or _latest[0].settings != used.settings:
        app = create_app(used, with_background=False)
        app.test_client_class = CheckedClient
        _latest[:] = used, app
    return _latest[1]
