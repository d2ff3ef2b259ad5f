"""Every setting says what it means, to the operator and in the documents."""

import re
from pathlib import Path

import pytest
from comanda import plugin_loader
from comanda.cli.settings import _format_value
from comanda.diagnostics.effective_settings import list_settings
from comanda.settings import Settings
from installed_plugins import get_registry

ROOT = Path(__file__).parents[2]
REGISTRY = get_registry()
ROWS = list_settings(Settings.model_construct(), REGISTRY)
OF_PLUGINS = [row for row in ROWS if row.plugin != plugin_loader.CORE]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.variables[0])
def test_a_setting_has_a_description(row):
    assert row.description, f"{row.plugin}.{row.name} needs Field(description=…)."
    assert row.description[0].isupper() or row.name in {"log_level", "log_format"}
    assert row.description.endswith(".")


@pytest.mark.parametrize("row", OF_PLUGINS, ids=lambda row: row.variables[0])
def test_a_plugins_documents_list_its_setting(row):
    folder = ROOT / "plugins" / row.plugin
    documents = [folder / "README.md", *folder.glob("src/*/docs/*.md")]
    text = "\n".join(document.read_text(encoding="utf-8") for document in documents)

    # In full, or in a table headed by what all of the plugin's settings begin with.
    prefix = f"COMANDA_{row.plugin.upper()}_"
    assert f"`{prefix}" in text
    assert re.search(rf"^\| `(?:{prefix})?{row.variables[0].removeprefix(prefix)}` \|", text, re.MULTILINE)


def test_the_listing_names_every_setting_once():
    variables = [row.variables[0] for row in ROWS]

    assert len(variables) == len(set(variables))
    assert {row.plugin for row in OF_PLUGINS} == set(REGISTRY.settings_plugins.values())
    assert _format_value([]) == "none"
