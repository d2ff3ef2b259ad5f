"""Names that moved: all new ones exist, the checker finds the old ones, and the page for authors lists them."""

import importlib
from pathlib import Path

import pytest
from comanda.devkit.authoring import moved_names
from comanda.devkit.authoring.public import is_public

PAGE = (Path(__file__).parents[4] / "docs/upgrading.md").read_text(encoding="utf-8")


def test_new_modules_are_public():
    modules = sorted(set(moved_names.MOVED_MODULES.values()))
    for module in modules:
        importlib.import_module(module)

    assert [name for name in modules if not (is_public(name) or name.startswith("comanda.devkit.testing"))] == []


def test_new_names_exist():
    names = [name.rpartition(".") for name in sorted(set(moved_names.MOVED_NAMES.values()))]

    assert [f"{module}.{name}" for module, _, name in names if not hasattr(importlib.import_module(module), name)] == []


def test_page_lists_every_moved_name():
    rows = {**moved_names.MOVED_MODULES, **moved_names.MOVED_NAMES}

    assert [old for old, new in rows.items() if f"| `{old}` | `{new}` |" not in PAGE] == []


@pytest.mark.parametrize(
    ("module", "name", "new"),
    [
        ("comanda.http.routes", "Routes", "comanda.contracts.routes.Routes"),
        ("comanda.accounts", "keyed", "comanda.encryption.hmac_digest"),
        ("comanda.http.answers", "told", "comanda.http.answers.to_public_error"),
        ("comanda.menu.snapshot", "StoreTerms", "comanda.contracts.order_participants.StoreTerms"),
        ("comanda.db.sql", "fetch_one", None),
    ],
)
def test_moved_name_is_found(module, name, new):
    assert moved_names.find_moved(module, name) == new
