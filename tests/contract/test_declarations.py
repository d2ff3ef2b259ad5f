"""What every plugin promises: names match, hooks are documented, handlers say what they do."""

import importlib
import inspect
import re
from pathlib import Path

import comanda_migrations
import jsonschema
import pytest
from comanda import core_plugin, hookspecs, plugins, registry

ROOT = Path(__file__).parents[2]
REGISTRY = registry.gather(plugins.load())
FIRST_PARTY = [plugin for plugin in REGISTRY.plugins if plugin.name != plugins.CORE]
PARTS = ["When", "Return", "Conflict", "Not for", "Example"]


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
    place = re.findall(r"``((?:plugins|verticals)/\w+|core_plugin\.py)``", example)

    assert len(place) == 1, example
    module = core_plugin
    if "/" in place[0]:
        assert (ROOT / place[0]).is_dir()
        module = next(plugin.module for plugin in REGISTRY.plugins if plugin.name == place[0].partition("/")[2])
    assert hasattr(module, hook.__name__), f"{place[0]} does not implement {hook.__name__}"


def test_every_hook_is_plain_and_takes_nothing():
    for hook in hooks():
        assert not inspect.iscoroutinefunction(hook)
        assert not inspect.signature(hook).parameters


@pytest.mark.parametrize("plugin", FIRST_PARTY, ids=lambda plugin: plugin.name)
def test_a_plugin_has_one_name_everywhere(plugin):
    folder = next(
        path for path in ROOT.glob(f"*/{plugin.name}") if path.parent.name in {"plugins", "verticals", "mcp_servers"}
    )

    assert plugin.distribution == f"comanda-{plugin.name}"
    assert plugin.module.__name__ == f"comanda_{plugin.name}.plugin"
    assert (folder / "pyproject.toml").is_file()
    assert (folder / "README.md").is_file()
    assert (folder / "src" / f"comanda_{plugin.name}" / "plugin.py").is_file()
    for models in (models for models in REGISTRY.models if models.app == plugin.name):
        assert models.migrations == f"comanda_migrations.{plugin.name}"
        assert (Path(comanda_migrations.__file__).parent / plugin.name).is_dir()
        assert all(module.startswith(f"comanda_{plugin.name}.") for module in models.modules)


def test_every_folder_of_a_plugin_is_installed_under_its_name():
    folders = {
        path.parent.name for group in ("plugins", "verticals") for path in ROOT.glob(f"{group}/*/pyproject.toml")
    }

    assert {plugin.name for plugin in FIRST_PARTY} == folders


def test_every_table_begins_with_its_plugins_name():
    for plugin, contributed in REGISTRY.contributions.items():
        assert all(table.startswith(f"{plugin}_") for table in contributed.get("table", ()))
    assert "core_order" in REGISTRY.contributions["core"]["table"]


@pytest.mark.parametrize("plugin", REGISTRY.plugins, ids=lambda plugin: plugin.name)
def test_a_plugin_module_holds_hooks_and_documents_each(plugin):
    own = [
        value
        for value in vars(plugin.module).values()
        if inspect.isfunction(value) and value.__module__ == plugin.module.__name__
    ]

    assert own
    for function in own:
        assert function.__name__ in {hook.__name__ for hook in hooks()}
        assert inspect.getdoc(function), f"{plugin.name}: {function.__name__} has no docstring"


@pytest.mark.parametrize("route", REGISTRY.routes, ids=lambda route: f"{route.method} {route.full_path}")
def test_a_route_says_what_it_does_and_what_it_answers(route):
    assert inspect.getdoc(route.handler), f"{route.handler.__qualname__} has no docstring"
    assert route.summary.endswith(".")
    if route.is_documented and route.status != 204:
        assert route.binding.answers not in (None, dict, list), f"{route.full_path} does not say what it answers"
        assert getattr(route.binding.answers, "__name__", "") != "Answer"


@pytest.mark.parametrize("route", REGISTRY.routes, ids=lambda route: f"{route.method} {route.full_path}")
def test_a_handler_takes_every_parameter_of_its_path(route):
    taken = set(inspect.signature(route.handler).parameters)

    for name in route.binding.path_parameters:
        assert re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() in taken


@pytest.mark.parametrize("event", REGISTRY.events.values(), ids=lambda event: event.name)
def test_an_events_sample_is_one(event):
    schema = event.model_json_schema(mode="serialization", by_alias=True)

    jsonschema.validate(dict(event.sample), schema, format_checker=jsonschema.FormatChecker())
    assert set(event.sample) == set(schema["properties"])
    assert re.fullmatch(r"[a-z]+:(read|write)", event.scope)
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", event.name)
    assert inspect.getdoc(event)


def test_every_module_of_a_plugin_can_be_imported():
    for plugin in FIRST_PARTY:
        package = importlib.import_module(plugin.module.__name__.rpartition(".")[0])
        for path in Path(package.__file__).parent.rglob("*.py"):
            parts = path.relative_to(Path(package.__file__).parent).with_suffix("").parts
            importlib.import_module(".".join([package.__name__, *(part for part in parts if part != "__init__")]))
