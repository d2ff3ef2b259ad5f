"""What only a plugin that runs shows: declarations, tables, answers, the wheel."""

import pytest
from comanda.devkit.authoring import checker, wheel
from comanda.devkit.authoring.findings import RULES, Finding, list_errors
from comanda.devkit.authoring.source import read_source

MIGRATION = "src/comanda_my_feature/migrations/0_*_init.py"

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

@routes.get("/my-feature-anything/{thingId}", scope="restaurants:read", answers=NoteOut)
async def show_anything(caller: Caller, thing_id: int) -> dict[str, Any]:
    """Show anything to anybody."""
    return {"id": thing_id, "text": "x", "done_at": None, "created_at": "2026-01-01T00:00:00Z"}


@routes.post("/my-feature-division", scope="restaurants:write")
async def divide(caller: Caller, body: NoteBody) -> dict[str, Any]:
    """Divide

    by two."""
    return {"result": len(body.text) / 2}


@routes.post("/restaurants/{id}/my-feature-trust", scope="restaurants:write", answers=NoteOut)
async def trust(caller: Caller, id: int, body: NoteChange) -> dict[str, Any]:
    """Trust what is sent."""
    return {"id": len(body.text or ""), "text": str(1 / (not body.is_done)), "done_at": None}
'''


@pytest.fixture
def migration(feature):
    return next(feature.package.glob("migrations/0_*.py"))


def rules(found):
    return {(one.rule, one.path.rpartition("/")[2]) for one in found}


def probed(feature, server=None):
    """What a loaded plugin shows, without the building of its wheel and, where no server is given, without tables."""
    found = checker.run_probe(read_source(feature.folder), server, feature.folder.parent / "result.json")
    return [one.relative_to_folder(feature.folder) for one in found]


def test_everything_that_tables_and_answers_can_break_is_found_at_once(feature, migration, postgres):
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
    feature.edit("events.py", "restaurants:read", "Restaurants")
    feature.edit("settings.py", ', description="Maximum number of notes per store."', "")

    found = probed(feature, postgres)

    assert rules(found) == {
        ("table-prefix", migration.name),
        ("table-owner", migration.name),
        ("table-key", migration.name),
        ("table-anchor", migration.name),
        ("table-reference", migration.name),
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


@pytest.mark.parametrize(
    ("path", "old", "new", "line"),
    [
        ("plugin.py", "from comanda_my_feature.events", "from comanda_my_feature.nowhere", "cannot be imported"),
        ("routes/notes.py", 'scope="restaurants:write")', 'scope=None)', "declares no scope"),
        ("plugin.py", "docs/my-feature.md", "docs/gone.md", "names the file docs/gone.md, which"),
        ("plugin.py", "from comanda import hookimpl", "import os\nos._exit(3)", "exit code 3"),
    ],
)  # fmt: skip
def test_what_stops_a_startup_is_told_in_its_own_words(feature, path, old, new, line):
    feature.edit(path, old, new)

    (found,) = probed(feature)

    assert found.rule == "starts"
    assert line in found.sentence


def test_a_plugin_stands_on_what_it_depends_on_and_not_on_what_else_is_installed(feature):
    vertical = '''

@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register a store type with delivery."""
    return [Vertical("kiosk", "Kiosk", VerticalGroup.GOODS, (), ("delivery",))]
'''
    plugin = feature.file("plugin.py")
    plugin.write_text(plugin.read_text() + vertical)
    feature.edit(
        "plugin.py",
        "\n\nfrom comanda_my",
        "\nfrom comanda.contracts.verticals import Vertical, VerticalGroup\n\nfrom comanda_my",
    )

    (found,) = probed(feature)

    assert found.rule == "starts"
    assert "names the fulfillment mode delivery, which no plugin declares" in found.sentence
    feature.edit("pyproject.toml", '    "comanda-core>=', '    "comanda-drivers",\n    "comanda-core>=')
    assert probed(feature) == []


def test_a_migration_that_fails_is_found(feature, migration, postgres):
    migration.write_text(migration.read_text().replace("REFERENCES core_store", "REFERENCES core_shop"))

    (found,) = probed(feature, postgres)

    assert (found.rule, found.path) == ("migrates", "src/comanda_my_feature/migrations")
    assert "core_shop" in found.sentence


def test_a_table_of_no_owner_is_only_a_warning():
    assert RULES["table-owner"].severity.value == "warning"
    assert list_errors([Finding("a.py", 1, "table-owner", "x")]) == []
    assert list_errors([Finding("a.py", 1, "table-key", "x")]) != []


def test_a_wheel_that_leaves_files_out(feature, uv, monkeypatch):
    monkeypatch.setenv("UV", uv)
    lacking = '\n[tool.uv.build-backend]\nwheel-exclude = ["docs/**", "**/docs/**"]\n'
    manifest = feature.folder / "pyproject.toml"
    manifest.write_text(manifest.read_text() + lacking)

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert found.rule == "wheel-contents"
    assert found.sentence == "The wheel does not contain comanda_my_feature/docs/my-feature.md."
    assert not (feature.folder / "dist").exists()


def test_a_wheel_that_cannot_be_built(feature, uv, monkeypatch):
    monkeypatch.setenv("UV", uv)
    feature.edit("pyproject.toml", 'version = "0.1.0"', 'version = "first"')

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert found.rule == "wheel-builds"


def test_without_a_build_tool_the_wheel_is_told_to_be_unchecked(feature, monkeypatch):
    monkeypatch.setattr(wheel, "_find_builder", lambda: None)

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert (found.rule, found.severity.value) == ("unchecked", "warning")
