"""Checks of a loaded plugin: declarations, tables, answers."""

import pytest

# A second table with everything wrong about it that the migrations' runner lets pass.
TABLES = """
        CREATE TABLE my_feature_loose (
            id bigint PRIMARY KEY,
            owner_id bigint NOT NULL,
            note_id bigint REFERENCES my_feature_other (id),
            seen_at timestamp,
            price double precision
        );
        CREATE TABLE stray (id bigint PRIMARY KEY);
"""


OTHER = """
        CREATE TABLE my_feature_other (id bigint PRIMARY KEY, owner_id bigint NOT NULL REFERENCES core_owner (id));
"""


ROUTES = '''

from typing import Any

@routes.get("/my-feature-anything/{thingId}", scope="restaurants:read", answers=Note)
async def show_anything(caller: Caller, thing_id: int) -> dict[str, Any]:
    """Show anything to anybody."""
    return {"id": thing_id, "text": "x", "done_at": None, "created_at": "2026-01-01T00:00:00Z"}


@routes.post("/my-feature-division", scope="restaurants:write")
async def divide(caller: Caller, body: NoteBody) -> dict[str, Any]:
    """Divide

    by two."""
    return {"result": len(body.text) / 2}


@routes.post("/restaurants/{id}/my-feature-trust", scope="restaurants:write", answers=Note)
async def trust(caller: Caller, id: int, body: NoteChange) -> dict[str, Any]:
    """Trust what is sent."""
    return {"id": len(body.text or ""), "text": str(1 / (not body.is_done)), "done_at": None}
'''


@pytest.fixture
def migration(feature):
    return next(feature.package.glob("migrations/0_*.py"))


def rules(found):
    return {(one.rule, one.path.rpartition("/")[2]) for one in found}


def test_all_table_and_answer_problems_are_found(feature, migration, postgres):
    text = migration.read_text()
    text = text.replace(
        "        CREATE INDEX my_feature_note_list ON my_feature_note (store_id, owner_id, id DESC);\n", ""
    )
    text = text.replace(
        "        CREATE TABLE my_feature_note", f"{OTHER}{TABLES}\n        CREATE TABLE my_feature_note", 1
    )
    migration.write_text(text)
    feature.edit("models.py", "max_length=500", "max_length=600")
    routes = feature.package / "routes" / "notes.py"
    routes.write_text(routes.read_text() + ROUTES)
    feature.edit("events.py", '"note_id": 42, ', "")
    feature.edit("events.py", "my_feature.note_done", "my_feature.NoteDone")
    feature.edit("settings.py", ', description="Maximum number of notes per store."', "")

    found = feature.probe(postgres)

    assert rules(found) == {
        ("table-prefix", migration.name),
        ("table-owner", migration.name),
        ("table-key", migration.name),
        ("table-anchor", migration.name),
        ("table-reference", migration.name),
        ("table-on-delete", migration.name),
        ("table-time", migration.name),
        ("table-money", migration.name),
        ("models-agree", migration.name),
        ("route-hides", "notes.py"),
        ("route-stands", "notes.py"),
        ("route-docstring", "notes.py"),
        ("route-answers", "notes.py"),
        ("event-sample", "events.py"),
        ("event-name", "events.py"),
        ("setting-description", "settings.py"),
    }
    sentences = [one.sentence for one in found if one.rule == "models-agree"]
    assert any("varchar" in sentence or "character varying(500)" in sentence for sentence in sentences)
    assert any("(store_id, owner_id) has no index" in sentence for sentence in sentences)
    hidden = next(one for one in found if one.rule == "route-hides")
    assert hidden.sentence == (
        "GET /api/v1/my-feature-anything/{thingId} answers 200 for an id of another owner instead of 404."
    )
    assert hidden.line == feature.line("routes/notes.py", "my-feature-anything")


PAGE_OF_CORE = """
from comanda import hookimpl
from comanda.contracts.web.pages import Pages
from quart import Blueprint

blueprint = Blueprint("my_feature", __name__)
blueprint.add_url_rule("/healthz", "show", lambda: "ouch")


@hookimpl
def register_pages():
    return [Pages(blueprint)]
"""


@pytest.mark.parametrize(
    ("path", "old", "new", "line"),
    [
        ("plugin.py", "from comanda_my_feature.events", "from comanda_my_feature.nowhere", "cannot be imported"),
        ("routes/notes.py", 'scope="restaurants:write")', 'scope=None)', "declares no scope"),
        ("plugin.py", "docs/my-feature.md", "docs/gone.md", "names the file docs/gone.md, which"),
        ("plugin.py", "from comanda import hookimpl", "import os\nos._exit(3)", "exit code 3"),
        ("plugin.py", "from comanda import hookimpl", PAGE_OF_CORE, "and the route GET /healthz both answer /healthz."),
    ],
)  # fmt: skip
def test_startup_error_is_reported(feature, path, old, new, line):
    feature.edit(path, old, new)

    (found,) = feature.probe()

    assert found.rule == "starts"
    assert line in found.sentence


def test_a_migration_that_fails_is_found(feature, migration, postgres):
    migration.write_text(migration.read_text().replace("REFERENCES core_store", "REFERENCES core_shop"))

    (found,) = feature.probe(postgres)

    assert (found.rule, found.path) == ("migrates", "src/comanda_my_feature/migrations")
    assert "core_shop" in found.sentence
