"""Comanda's own plugins keep what their files can show of the contract."""

from pathlib import Path

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.findings import list_errors
from comanda.devkit.authoring.public import PUBLIC

ROOT = Path(__file__).parents[4]
FOLDERS = sorted(
    path.parent for group in ("plugins", "verticals", "mcp_servers") for path in ROOT.glob(f"{group}/*/pyproject.toml")
)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_first_party_plugin_has_no_errors(folder):
    assert list_errors(check_plugin(folder, is_static=True)) == []


def test_every_public_module_is_there():
    source = ROOT / "core" / "src"

    for module in PUBLIC:
        place = source.joinpath(*module.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file(), module


def test_types_of_hooks_are_public():
    text = (ROOT / "core" / "src" / "comanda" / "hookspecs.py").read_text()
    imported = {line.split()[1] for line in text.splitlines() if line.startswith("from comanda")}

    assert imported
    assert imported <= PUBLIC.keys()
