"""Public packages export what others use, and Comanda's own plugins keep what their files can show of the contract."""

import importlib
import re
from pathlib import Path

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.findings import list_errors
from comanda.devkit.authoring.public import find_export, list_packages

ROOT = Path(__file__).parents[4]
# Who imports what packages export.
USERS = ("plugins", "verticals", "mcp_servers", "examples", "tests/plugins", "tests/verticals", "tests/mcp_servers")
GUIDE = ROOT / "core/src/comanda/web/docs/plugins.md"
FOLDERS = sorted(
    path.parent for group in ("plugins", "verticals", "mcp_servers") for path in ROOT.glob(f"{group}/*/pyproject.toml")
)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_first_party_plugin_has_no_errors(folder):
    assert list_errors(check_plugin(folder, is_static=True)) == []


@pytest.mark.parametrize("package", list_packages())
def test_every_public_name_is_there(package):
    module = importlib.import_module(package)

    assert [name for name in list_packages()[package] if not hasattr(module, name)] == []
    assert set(module.__all__) == list_packages()[package].keys()


def test_every_public_name_is_used_outside_of_core():
    files = (path for group in (*USERS, "tests/e2e", "tests/support") for path in ROOT.glob(f"{group}/**/*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in (*files, ROOT / "core/src/comanda/hookspecs.py"))
    imports = re.findall(r"from comanda[\w.]* import (\([^)]*\)|[^\n(]+)", text)
    described = re.findall(r"`[^`\n]+`", GUIDE.read_text(encoding="utf-8"))
    used = {*re.findall(r"\.(\w+)", text), *re.findall(r"\w+", " ".join([*imports, *described]))}

    names = {name for exports in list_packages().values() for name in exports}
    assert names - used == set()


def test_types_of_hooks_are_public():
    text = (ROOT / "core" / "src" / "comanda" / "hookspecs.py").read_text()
    imported = re.findall(r"^from (comanda\S+) import (.+)$", text, re.MULTILINE)
    names = [f"{module}.{name}" for module, names in imported for name in names.split(", ")]

    assert names
    assert [name for name in names if find_export(name) is None] == []
