"""What every plugin promises: names match, hooks are documented, handlers say what they do."""

import importlib
import inspect
import re
from pathlib import Path

import comanda_migrations
from comanda import hookspecs
from comanda.composition import plugin_loader
from comanda.devkit.authoring import declarations, plugin_module
from installed_plugins import get_registry
from sweep import sweep

ROOT = Path(__file__).parents[2]
GROUPS = ("plugins", "verticals", "mcp_servers")
# Answers whose shape is told elsewhere: by the specification of OpenAPI, and by the links that it holds.
OPEN_DOCUMENTS = {"GET /api/v1", "GET /api/v1/openapi.json"}
PARTS = ["When", "Return", "Conflict", "Not for", "Example"]


def folder_of(plugin):
    """Where a first-party plugin lies; a server's folder goes without the ``mcp_`` that its name begins with."""
    places = [ROOT / group / plugin.name for group in GROUPS]
    return next(path for path in [*places, ROOT / "mcp_servers" / plugin.name.removeprefix("mcp_")] if path.is_dir())


def list_first_party():
    """List the plugins beside core."""
    return [plugin for plugin in get_registry().plugins if plugin.name != plugin_loader.CORE]


def list_modules():
    """List the folders and the modules with hooks of all plugins and of core."""
    return [
        *((folder_of(plugin), plugin.modules[0]) for plugin in list_first_party()),
        *((Path(module.__file__).parent, module) for module in get_registry().plugins[0].modules),
    ]


def hooks():
    return [
        function for name, function in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("register_")
    ]


def test_hooks_are_documented_in_the_fixed_order():
    with sweep(at_least=20) as checks:
        for hook in hooks():
            with checks.check(hook.__name__):
                summary, *parts = inspect.getdoc(hook).split("\n\n")

                assert summary[0].isupper()
                assert summary.endswith(".")
                assert len(parts) == 1
                assert re.findall(r"^(\w[\w ]*): \S", parts[0], re.MULTILINE) == PARTS


def test_the_examples_of_hooks_are_there():
    modules = list_modules()
    with sweep(at_least=20) as checks:
        for hook in hooks():
            with checks.check(hook.__name__):
                check_example(hook, modules)


def check_example(hook, modules):
    example = re.search(r"^Example: (.+)$", inspect.getdoc(hook), re.MULTILINE)[1]
    place = re.findall(r"``((?:plugins|verticals|mcp_servers|examples)/\w+|core/src/comanda/\w+)``", example)

    assert len(place) == 1, example
    assert (ROOT / place[0]).is_dir()
    if place[0].startswith("examples/"):
        # Examples are not installed here.
        source = next((ROOT / place[0]).glob("src/*/plugin.py")).read_text(encoding="utf-8")
        assert f"\ndef {hook.__name__}()" in source, f"{place[0]} does not implement {hook.__name__}"
        return
    module = next(module for folder, module in modules if folder == ROOT / place[0])
    assert hasattr(module, hook.__name__), f"{place[0]} does not implement {hook.__name__}"


def test_every_hook_is_plain_and_takes_nothing():
    for hook in hooks():
        assert not inspect.iscoroutinefunction(hook)
        assert not inspect.signature(hook).parameters


def test_plugins_have_one_name_everywhere():
    with sweep(at_least=30) as checks:
        for plugin in list_first_party():
            with checks.check(plugin.name):
                folder = folder_of(plugin)
                assert plugin.distribution == f"comanda-{plugin.name.replace('_', '-')}"
                assert plugin.modules[0].__name__ == f"comanda_{plugin.name}.plugin"
                assert (folder / "pyproject.toml").is_file()
                assert (folder / "README.md").is_file()
                assert (folder / "src" / f"comanda_{plugin.name}" / "plugin.py").is_file()
                for models in (models for models in get_registry().models if models.app == plugin.name):
                    assert models.migrations == f"comanda_migrations.{plugin.name}"
                    assert (Path(comanda_migrations.__file__).parent / plugin.name).is_dir()
                    assert all(module.startswith(f"comanda_{plugin.name}.") for module in models.modules)


def test_every_folder_of_a_plugin_is_installed_under_its_name():
    folders = {path.parent for group in GROUPS for path in ROOT.glob(f"{group}/*/pyproject.toml")}

    assert {folder_of(plugin) for plugin in list_first_party()} == folders


def test_every_table_begins_with_its_plugins_name():
    for plugin, contributed in get_registry().contributions.items():
        assert all(table.startswith(f"{plugin}_") for table in contributed.get("table", ()))
    assert "core_order" in get_registry().contributions["core"]["table"]


def test_plugin_modules_hold_hooks_and_document_each():
    with sweep(at_least=30) as checks:
        for plugin in get_registry().plugins:
            with checks.check(plugin.name):
                assert list(plugin_module.check_plugin_module(Path(plugin.modules[0].__file__))) == []


def test_routes_say_what_they_do_and_what_they_answer():
    with sweep(at_least=400) as checks:
        for route in get_registry().routes:
            with checks.check(name := f"{route.method} {route.full_path}"):
                found = list(declarations.check_route(route))
                if name in OPEN_DOCUMENTS:
                    found = [one for one in found if one.rule != "route-answers"]
                assert found == []


def test_events_say_when_they_are_sent_and_show_a_sample():
    with sweep(at_least=20) as checks:
        for event in get_registry().events.values():
            with checks.check(event.name):
                assert list(declarations.check_event(event)) == []


def test_schemas_of_tools_stand_by_themselves():
    with sweep(at_least=25) as checks:
        for key, tool in get_registry().mcp_tools.items():
            with checks.check(key):
                assert list(declarations.check_tool(tool)) == []


def test_every_setting_of_a_plugin_is_described():
    with sweep(at_least=5) as checks:
        for kind in get_registry().settings:
            with checks.check(kind.__name__):
                assert list(declarations.check_settings(kind)) == []


def test_every_module_of_a_plugin_can_be_imported():
    for plugin in list_first_party():
        package = importlib.import_module(plugin.modules[0].__name__.rpartition(".")[0])
        for path in Path(package.__file__).parent.rglob("*.py"):
            parts = path.relative_to(Path(package.__file__).parent).with_suffix("").parts
            importlib.import_module(".".join([package.__name__, *(part for part in parts if part != "__init__")]))
