"""Plugins are found by entry points, ordered by what they depend on, and refused with one line where that fails."""

import os
import subprocess
import sys
import types
from importlib.metadata import Distribution, EntryPoint, entry_points, version

import pytest
from comanda.basics.startup_errors import (
    BrokenPlugin,
    DuplicateRegistration,
    IncompatibleVersion,
    InvalidDeclaration,
    MissingDependency,
    StartupError,
    UnknownReference,
)
from comanda.composition import plugin_loader


class FakeDistribution(Distribution):
    """An installed distribution that says what it needs."""

    def __init__(self, name, *requires):
        self.lines = [f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {line}" for line in requires)]

    def read_text(self, filename):
        return "\n".join(self.lines) if filename == "METADATA" else None

    def locate_file(self, path):
        return path


def point(name, *requires, distribution=None, value="types"):
    made = EntryPoint(name, value, plugin_loader.GROUP)
    vars(made)["dist"] = FakeDistribution(distribution or f"comanda-{name}", *requires)
    return made


def refused(kind, points, disabled=()):
    with pytest.raises(StartupError) as stopped:
        plugin_loader.load(points, disabled)
    assert type(stopped.value) is kind
    line = str(stopped.value)
    assert "\n" not in line
    return line


def names(loaded):
    return [plugin.name for plugin in loaded]


def test_core_comes_first_and_each_plugin_after_those_it_needs():
    loaded = plugin_loader.load(
        [point("acorn", "comanda-oak>=1"), point("beech"), point("oak", "comanda-core", "comanda-beech")]
    )

    assert names(loaded) == ["core", "beech", "oak", "acorn"]


def test_distribution_names_are_compared_as_packaging_does():
    loaded = plugin_loader.load(
        [point("acorn", "Comanda_Oak [all] >= 1"), point("oak", distribution="comanda.oak"), point("beech")]
    )

    assert names(loaded).index("oak") < names(loaded).index("acorn")


def test_optional_requirement_is_ignored():
    loaded = plugin_loader.load([point("acorn", 'comanda-oak; extra == "all"')])

    assert names(loaded) == ["core", "acorn"]


def test_plugin_knows_its_distribution():
    acorn = plugin_loader.load([point("acorn")])[1]

    assert (acorn.name, acorn.distribution, acorn.version, acorn.modules) == ("acorn", "comanda-acorn", "1.0", (types,))


def test_a_disabled_plugin_is_left_out():
    assert names(plugin_loader.load([point("acorn"), point("oak")], ["oak"])) == ["core", "acorn"]


def test_a_dependency_that_is_disabled():
    line = refused(MissingDependency, [point("acorn", "comanda-oak"), point("oak")], ["oak"])

    assert line == "Plugin acorn needs oak, which is disabled."


def test_a_dependency_that_is_not_installed():
    line = refused(MissingDependency, [point("acorn", "comanda-oak>=2", "comanda-core")])

    assert line == "Plugin acorn needs comanda-oak, which is not installed."


@pytest.mark.parametrize(
    ("requirement", "line"),
    [
        ("comanda-core>=99", "Plugin acorn needs comanda-core>=99, and {core} is installed."),
        ("comanda-core<0.0.1", "Plugin acorn needs comanda-core<0.0.1, and {core} is installed."),
        ("comanda-oak>=2", "Plugin acorn needs comanda-oak>=2, and 1.0 is installed."),
    ],
)
def test_versions_outside_bounds_stop_startup(requirement, line):
    stopped = refused(IncompatibleVersion, [point("acorn", requirement), point("oak")])

    assert stopped == line.format(core=version("comanda-core"))


def test_versions_within_bounds_are_accepted():
    loaded = plugin_loader.load([point("acorn", "comanda-oak>=1,<2", "comanda-core>=0.0.1"), point("oak")])

    assert names(loaded) == ["core", "oak", "acorn"]


def test_version_of_unrelated_package_is_not_checked():
    assert names(plugin_loader.load([point("acorn", "click>=9999")])) == ["core", "acorn"]


def test_system_exit_on_import_names_the_plugin(tmp_path, monkeypatch):
    (tmp_path / "leaving_plugin.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)

    line = refused(BrokenPlugin, [point("acorn", value="leaving_plugin")])

    assert line == "Plugin acorn (comanda-acorn 1.0) cannot be imported: SystemExit(3)."


def test_advice_leaves_out_what_depends_on_the_plugin():
    points = [point("acorn", "comanda-oak"), point("oak"), point("beech"), point("leaf", "comanda-acorn")]

    advice = plugin_loader.describe_start_without(["oak"], ["beech"], points)

    assert advice == "Start without it: COMANDA_DISABLED_PLUGINS=beech,oak,acorn,leaf comanda run"


def test_advice_offers_each_plugin_of_a_conflict():
    advice = plugin_loader.describe_start_without(["oak", "acorn", "core"], [], [point("acorn"), point("oak")])

    assert advice == (
        "Start without one of them: COMANDA_DISABLED_PLUGINS=oak comanda run "
        "or COMANDA_DISABLED_PLUGINS=acorn comanda run"
    )


def test_no_advice_without_a_plugin():
    assert plugin_loader.describe_start_without(["core"], []) is None


@pytest.mark.parametrize("bad", [point("A-corn"), EntryPoint("acorn", "types", plugin_loader.GROUP)])
def test_disabled_plugin_is_not_even_looked_at(bad):
    assert names(plugin_loader.load([bad], [bad.name])) == ["core"]


def test_a_circle_of_dependencies():
    line = refused(
        MissingDependency,
        [point("acorn", "comanda-beech"), point("beech", "comanda-oak"), point("oak", "comanda-acorn")],
    )

    assert line.startswith("Plugins depend on each other in a circle: ")
    assert all(name in line for name in ("acorn", "beech", "oak"))


def test_disabling_what_is_not_installed():
    line = refused(UnknownReference, [point("acorn")], ["ghost"])

    assert line == "COMANDA_DISABLED_PLUGINS names ghost, which is not installed."


def test_a_plugin_that_cannot_be_imported():
    line = refused(BrokenPlugin, [point("acorn", value="no_such_plugin.plugin")])

    assert line.startswith("Plugin acorn (comanda-acorn 1.0) cannot be imported: ModuleNotFoundError(")


def test_two_distributions_with_same_plugin():
    line = refused(DuplicateRegistration, [point("acorn"), point("acorn", distribution="nuts-acorn")])

    assert line == "Distributions comanda-acorn and nuts-acorn both bring a plugin acorn."


def test_other_distribution_cannot_be_core():
    line = refused(DuplicateRegistration, [point("core", distribution="nuts")])

    assert line == "Distribution nuts names its plugin core, as core is named. Start without it: pip uninstall nuts"


@pytest.mark.parametrize("name", ["Acorn", "a-corn", "1acorn", "a corn", ""])
def test_a_name_that_no_table_could_begin_with(name):
    line = refused(InvalidDeclaration, [point(name, distribution="nuts")])

    assert line.startswith(f"Distribution nuts names its plugin {name!r}; ")


def test_an_entry_point_of_no_distribution():
    line = refused(BrokenPlugin, [EntryPoint("acorn", "types", plugin_loader.GROUP)])

    assert line == "Plugin acorn (types) belongs to no installed distribution."


def test_installed_plugins_are_found():
    found = {point.name: point.value for point in plugin_loader.discover()}

    assert found["restaurant"] == "comanda_restaurant.plugin"
    assert found["webhooks"] == "comanda_webhooks.plugin"


CORE_ALONE = """
import asyncio
from comanda.composition import app
from comanda.platform.observability import configure_logging
from comanda.platform.settings import Settings, read_settings

async def main():
    configure_logging("warning", "json")
    made = app.start_runtime(read_settings(Settings))
    application = app.create_app(made, with_background=False)
    async with application.test_app():
        client = application.test_client()
        index = await (await client.get("/api/v1")).get_json()
        print("plugins", [plugin.name for plugin in made.registry.plugins])
        print("listed", "GET /api/v1/restaurants" in index["endpoints"]["Stores"])
        print("me", (await client.get("/api/v1/me")).status_code)
        print("ready", (await client.get("/readyz")).status_code)

asyncio.run(main())
"""


def test_core_alone_serves_and_logs_missing_vertical(new_migrated_database):
    # Nothing has waited in it for long, which a process that is ready reports.
    database_url = new_migrated_database("comanda_core_alone")
    every_plugin = ",".join(point.name for point in plugin_loader.discover())
    alone = subprocess.run(
        [sys.executable, "-c", CORE_ALONE],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "DATABASE_URL": database_url, "COMANDA_DISABLED_PLUGINS": every_plugin},
    )

    assert alone.stdout.splitlines() == ["plugins ['core']", "listed True", "me 401", "ready 200"], alone.stderr
    assert "no_vertical_installed" in alone.stderr
    assert alone.returncode == 0


def test_every_room_of_core_is_asked():
    assert sorted(plugin_loader.BUILTIN) == sorted(point.name for point in entry_points(group="comanda.builtin"))
