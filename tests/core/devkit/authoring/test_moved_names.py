"""Names that moved: all new ones are public, the checker finds the old ones, and the page for authors lists them."""

from pathlib import Path

import pytest
from comanda.devkit.authoring import moved_names
from comanda.devkit.authoring.public import is_public

PAGE = (Path(__file__).parents[4] / "docs/upgrading.md").read_text(encoding="utf-8")


def test_new_names_are_public():
    new = {*moved_names.MOVED_MODULES.values(), *moved_names.MOVED_NAMES.values()}

    assert [name for name in new if not is_public(name)] == []


def test_page_lists_every_moved_name():
    rows = {**moved_names.MOVED_MODULES, **moved_names.MOVED_NAMES}

    assert [old for old, new in rows.items() if f"| `{old}` | `{new}` |" not in PAGE] == []


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize(
    ("module", "name", "new"),
    [
        ("comanda.old.routes", "Routes", "comanda.contracts.requests.routes.Routes"),
        ("comanda.old", "routes", "comanda.contracts.requests.routes"),
        ("comanda.basics.money", "half_up", "comanda.basics.money.round_half_up"),
        ("comanda.platform.db.sql", "fetch_one", None),
    ],
)
def test_moved_name_is_found(module, name, new):
    assert moved_names.find_moved(module, name) == new
