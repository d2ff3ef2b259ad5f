"""Rules for imports."""

import pytest
from comanda.devkit.authoring.checker import check_plugin


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("from comanda.platform.http.gateway import Gateway", "public-import"),
        ("import comanda.platform.db.lifecycle", "public-import"),
        ("import comanda.basics.errors", "public-import"),
        ("from comanda.basics.errors import NotFound", "public-import"),
        ("from comanda.basics import hook_costs", "public-import"),
        ("from comanda.platform.db.sql import fetch", "public-import"),
        ("from comanda.platform.http import gateway", "public-import"),
        ("from comanda.composition import plugin_loader", "public-import"),
        ("from comanda.platform.db.sql import _connection", "private-name"),
        ("from comanda_webhooks.services import create_endpoint", "plugin-import"),
        ("import comanda_webhooks", "plugin-import"),
        ("from comanda_collection.api import SlotSettingsChange", "undeclared-plugin"),
        ("from comanda_collection import api", "undeclared-plugin"),
        ("import comanda_migrations.core", "migrations-import"),
        ("def late() -> None:\n    from comanda.platform.http.gateway import Gateway", "public-import"),
    ],
)
def test_private_imports_are_reported(feature, line, rule):
    feature.add("event_handlers.py", f"{line}\n")

    assert feature.static() == [(rule, "src/comanda_my_feature/event_handlers.py", line.count("\n") + 1)]


@pytest.mark.parametrize(
    "line",
    [
        "from comanda.platform.db import sql",
        "from comanda import hookimpl",
        "from comanda.basics import NotFound, clock",
        "from comanda.platform import encryption",
        "from comanda.devkit.testing import TestStore",
        "from comanda_my_feature.models import Note",
        "import asyncpg",
    ],
)
def test_public_imports_are_allowed(feature, line):
    feature.add("event_handlers.py", f"{line}\n")

    assert feature.static() == []


@pytest.mark.parametrize(
    ("line", "export"),
    [
        ("from comanda.basics.errors import NotFound", "from comanda.basics import NotFound"),
        ("from comanda.platform.db.sql import fetch", "from comanda.platform.db import sql"),
    ],
)
def test_finding_says_which_package_exports_a_name(feature, line, export):
    feature.add("event_handlers.py", f"{line}\n")

    assert [one.sentence for one in check_plugin(feature.folder, is_static=True) if export in one.sentence] != []


def test_api_of_required_plugin_may_be_imported(feature):
    feature.edit("pyproject.toml", '    "comanda-core>=', '    "comanda_collection[more] >= 0.1",\n    "comanda-core>=')
    feature.add("event_handlers.py", "from comanda_collection.api import SlotSettingsChange\n")

    assert feature.static() == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("models.py", "from comanda_my_feature.routes.notes import routes"),
        ("services.py", "from comanda_my_feature import routes"),
        ("routes/notes.py", "from comanda.platform.db import sql"),
    ],
)
def test_imports_point_inward(feature, path, line):
    feature.edit(path, "\nfrom ", f"\n{line}\nfrom ")

    assert {(rule, place) for rule, place, _ in feature.static()} == {("layers", f"src/comanda_my_feature/{path}")}
