"""What every plugin promises: names match, hooks are documented, handlers say what they do."""

import importlib
import inspect
import re
from pathlib import Path

import comanda_migrations
import pytest
from comanda import hookspecs, plugin_loader
from comanda.devkit.authoring import declarations, plugin_module
from installed_plugins import get_registry

ROOT = Path(__file__).parents[2]
REGISTRY = get_registry()
FIRST_PARTY = [plugin for plugin in REGISTRY.plugins if plugin.name != plugin_loader.CORE]
GROUPS = ("plugins", "verticals", "mcp_servers")
# Answers whose shape is told elsewhere: by the specification of OpenAPI, and by the links that it holds.
OPEN_DOCUMENTS = {"GET /api/v1", "GET /api/v1/openapi.json"}
PARTS = ["When", "Return", "Conflict", "Not for", "Example"]


def folder_of(plugin):
    """Where a first-party plugin lies; a server's folder goes without the ``mcp_`` that its name begins with."""
    places = [ROOT / group / plugin.name for group in GROUPS]
    return next(path for path in [*places, ROOT / "mcp_servers" / plugin.name.removeprefix("mcp_")] if path.is_dir())


MODULES = [
    *((folder_of(plugin), plugin.modules[0]) for plugin in FIRST_PARTY),
    *((Path(module.__file__).parent, module) for module in REGISTRY.plugins[0].modules),
]


def hooks():
    return [
        function for name, function in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("register_")
    ]


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook.__name__)
def test_a_hook_is_documented_in_the_fixed_order(hook):
    summary, *parts = inspect.getdoc(hook).split("\n\n")

    assert summary[0].isupper()
    assert summary.endswith(".")
    assert len(parts) == 1
    assert re.findall(r"^(\w[\w ]*): \S", parts[0], re.MULTILINE) == PARTS


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook.__name__)
def test_a_hooks_example_is_there(hook):
    example = re.search(r"^Example: (.+)$", inspect.getdoc(hook), re.MULTILINE)[1]
    place = re.findall(r"``((?:plugins|verticals|mcp_servers|examples)/\w+|core/src/comanda/\w+)``", example)

    assert len(place) == 1, example
    assert (ROOT / place[0]).is_dir()
    if place[0].startswith("examples/"):
        # Examples are not installed here.
        source = next((ROOT / place[0]).glob("src/*/plugin.py")).read_text(encoding="utf-8")
        assert f"\ndef {hook.__name__}()" in source, f"{place[0]} does not implement {hook.__name__}"
        return
    module = next(module for folder, module in MODULES if folder == ROOT / place[0])
    assert hasattr(module, hook.__name__), f"{place[0]} does not implement {hook.__name__}"


def test_every_hook_is_plain_and_takes_nothing():
    for hook in hooks():
        assert not inspect.iscoroutinefunction(hook)
        assert not inspect.signature(hook).parameters


@pytest.mark.parametrize("plugin", FIRST_PARTY, ids=lambda plugin: plugin.name)
def test_a_plugin_has_one_name_everywhere(plugin):
    folder = folder_of(plugin)

    assert plugin.distribution == f"comanda-{plugin.name.replace('_', '-')}"
    assert plugin.modules[0].__name__ == f"comanda_{plugin.name}.plugin"
    assert (folder / "pyproject.toml").is_file()
    assert (folder / "README.md").is_file()
    assert (folder / "src" / f"comanda_{plugin.name}" / "plugin.py").is_file()
    for models in (models for models in REGISTRY.models if models.app == plugin.name):
        assert models.migrations == f"comanda_migrations.{plugin.name}"
        assert (Path(comanda_migrations.__file__).parent / plugin.name).is_dir()
        assert all(module.startswith(f"comanda_{plugin.name}.") for module in models.modules)


def test_every_folder_of_a_plugin_is_installed_under_its_name():
    folders = {path.parent for group in GROUPS for path in ROOT.glob(f"{group}/*/pyproject.toml")}

    assert {folder_of(plugin) for plugin in FIRST_PARTY} == folders


def test_every_table_begins_with_its_plugins_name():
    for plugin, contributed in REGISTRY.contributions.items():
        assert all(table.startswith(f"{plugin}_") for table in contributed.get("table", ()))
    assert "core_order" in REGISTRY.contributions["core"]["table"]


@pytest.mark.parametrize("plugin", REGISTRY.plugins, ids=lambda plugin: plugin.name)
def test_a_plugin_module_holds_hooks_and_documents_each(plugin):
    assert list(plugin_module.check_plugin_module(Path(plugin.modules[0].__file__))) == []


@pytest.mark.parametrize("route", REGISTRY.routes, ids=lambda route: f"{route.method} {route.full_path}")
def test_a_route_says_what_it_does_and_what_it_answers(route):
    found = list(declarations.check_route(route))

    if f"{route.method} {route.full_path}" in OPEN_DOCUMENTS:
        found = [one for one in found if one.rule != "route-answers"]
    assert found == []


@pytest.mark.parametrize("event", REGISTRY.events.values(), ids=lambda event: event.name)
def test_an_event_says_when_it_is_sent_and_shows_a_sample(event):
    assert list(declarations.check_event(event)) == []


@pytest.mark.parametrize("tool", REGISTRY.mcp_tools.values(), ids=lambda tool: f"{tool.servers[0]}/{tool.name}")
def test_a_tools_schemas_stand_by_themselves(tool):
    assert list(declarations.check_tool(tool)) == []


@pytest.mark.parametrize("kind", REGISTRY.settings, ids=lambda kind: kind.__name__)
def test_every_setting_of_a_plugin_is_described(kind):
    assert list(declarations.check_settings(kind)) == []


def test_every_module_of_a_plugin_can_be_imported():
    for plugin in FIRST_PARTY:
        package = importlib.import_module(plugin.modules[0].__name__.rpartition(".")[0])
        for path in Path(package.__file__).parent.rglob("*.py"):
            parts = path.relative_to(Path(package.__file__).parent).with_suffix("").parts
            importlib.import_module(".".join([package.__name__, *(part for part in parts if part != "__init__")]))
