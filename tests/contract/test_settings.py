"""Every setting says what it means, to the operator and in the documents."""

import re
from functools import cache
from pathlib import Path

import pytest
from comanda.cli.maintenance.settings import _format_value
from comanda.composition import plugin_loader
from comanda.operations.diagnostics.effective_settings import list_settings
from comanda.platform.settings import Settings
from installed_plugins import get_registry
from sweep import sweep

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows():
    return list_settings(Settings.model_construct(), get_registry())


@pytest.fixture(scope="module")
def of_plugins(rows):
    return [row for row in rows if row.plugin != plugin_loader.CORE]


@cache
def read_documents(plugin):
    folder = ROOT / "plugins" / plugin
    documents = [folder / "README.md", *folder.glob("src/*/docs/*.md")]
    return "\n".join(document.read_text(encoding="utf-8") for document in documents)


def test_every_setting_has_a_description(rows):
    with sweep(at_least=100) as checks:
        for row in rows:
            with checks.check(row.variables[0]):
                assert row.description, f"{row.plugin}.{row.name} needs Field(description=…)."
                assert row.description[0].isupper() or row.name in {"log_level", "log_format"}
                assert row.description.endswith(".")


def test_a_plugins_documents_list_its_settings(of_plugins):
    with sweep(at_least=40) as checks:
        for row in of_plugins:
            with checks.check(row.variables[0]):
                text = read_documents(row.plugin)
                # In full, or in a table headed by what all of the plugin's settings begin with.
                prefix = f"COMANDA_{row.plugin.upper()}_"
                name = row.variables[0].removeprefix(prefix)
                assert f"`{prefix}" in text, f"no `{prefix}…` in the documents"
                assert re.search(rf"^\| `(?:{prefix})?{name}` \|", text, re.MULTILINE), f"no row for {name}"


def test_the_listing_names_every_setting_once(rows, of_plugins):
    variables = [row.variables[0] for row in rows]

    assert len(variables) == len(set(variables))
    assert {row.plugin for row in of_plugins} == set(get_registry().settings_plugins.values())
    assert _format_value([]) == "none"
