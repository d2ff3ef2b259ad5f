"""What the checker reads in files: each breach is found, once, at its line, and nothing else is."""

import shutil

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.findings import RULES

PLUGIN = "src/comanda_my_feature/plugin.py"
HOOK = 'def register_docs() -> Sequence[Chapter]:\n    """Register the chapter about notes."""'


def test_a_plugin_as_written_has_no_finding(feature):
    assert feature.static() == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('version = "0.1.0"', "", "version"),
        ('readme = "README.md"', "", "readme"),
        ('requires-python = ">=3.11"', "", "requires-python"),
        ('name = "comanda-my-feature"', 'name = "something-else"', "distribution-name"),
        ('"comanda-core>=', '"comanda>=', "needs-core"),
        ('my_feature = "comanda_my_feature.plugin"', 'feature = "comanda_my_feature.plugin"', "names-agree"),
        ('"comanda_my_feature.plugin"', '"comanda_my_feature.hooks"', "names-agree"),
        ('[project.entry-points."comanda.plugins"]', '[project.entry-points."comanda.plugin"]', "entry-point"),
        (
            '[project.entry-points."comanda.plugins"]',
            '[project.entry-points."comanda.plugins"]\nb = "b"',
            "entry-point",
        ),
        ("[project]", "[projekt]", "manifest"),
        ("[project]", "[project", "manifest"),
    ],
)
def test_the_manifest(feature, old, new, rule):
    feature.edit("pyproject.toml", old, new)

    assert (rule, "pyproject.toml") in {(found, path) for found, path, _ in feature.static()}


@pytest.mark.parametrize("text", [None, " \n"])
def test_a_readme_that_is_missing_or_empty(feature, text):
    readme = feature.folder / "README.md"
    readme.unlink() if text is None else readme.write_text(text)

    assert feature.static() == [("readme", "README.md", 1)]


def test_a_folder_without_a_manifest(tmp_path):
    (found,) = check_plugin(tmp_path)

    assert (found.rule, found.path) == ("manifest", "pyproject.toml")


def test_tests_and_types_are_asked_for(feature):
    (feature.package / "py.typed").unlink()
    shutil.rmtree(feature.folder / "tests")

    assert [rule for rule, _, _ in feature.static()] == ["typed", "tests"]
    assert {RULES[rule].severity.value for rule in ("typed", "tests")} == {"warning"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "at"),
    [
        ("def register_docs()", "def register_doc()", "hook-exists", "def register_doc()"),
        (f"@hookimpl\n{HOOK}", HOOK, "hook-marked", "def register_docs"),
        (HOOK, HOOK.partition("\n")[0], "hook-docstring", "def register_docs"),
        ("def register_docs()", "async def register_docs()", "hook-plain", "def register_docs"),
        ("def register_docs()", "def register_docs(more: int)", "hook-plain", "def register_docs"),
        ("@hookimpl\ndef register_docs", "def helps(): ...\n\n\n@hookimpl\ndef register_docs", "hooks-only", "helps"),
        ("@hookimpl\ndef register_docs", "class Helper: ...\n\n\n@hookimpl\ndef register_docs", "hooks-only", "Helper"),
        ("@hookimpl\ndef register_docs", "print()\n\n\n@hookimpl\ndef register_docs", "hooks-only", "print()"),
    ],
)  # fmt: skip
def test_the_plugin_module(feature, old, new, rule, at):
    feature.edit("plugin.py", old, new)

    assert feature.static() == [(rule, PLUGIN, feature.line("plugin.py", at))]


def test_a_misspelled_hook_is_told_its_likely_name(feature):
    feature.edit("plugin.py", "def register_docs()", "def register_doc()")

    (found,) = check_plugin(feature.folder, is_static=True)

    assert found.sentence == "There is no hook register_doc. Did you mean register_docs?"


def test_constants_may_stand_among_hooks(feature):
    feature.edit(
        "plugin.py", "@hookimpl\ndef register_docs", "NAMES: tuple[str, ...] = ()\n\n\n@hookimpl\ndef register_docs"
    )

    assert feature.static() == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("from comanda.http.gateway import Gateway", "public-import"),
        ("import comanda.db.lifecycle", "public-import"),
        ("from comanda.http import gateway", "public-import"),
        ("from comanda import plugin_loader", "public-import"),
        ("from comanda.db.sql import _connection", "private-name"),
        ("from comanda_webhooks.services import create_endpoint", "plugin-import"),
        ("import comanda_webhooks", "plugin-import"),
        ("from comanda_collection.api import SlotSettingsChange", "undeclared-plugin"),
        ("from comanda_collection import api", "undeclared-plugin"),
        ("import comanda_migrations.core", "migrations-import"),
        ("def late() -> None:\n    from comanda.http.gateway import Gateway", "public-import"),
    ],
)
def test_imports_of_what_is_not_public(feature, line, rule):
    feature.add("event_handlers.py", f"{line}\n")

    assert feature.static() == [(rule, "src/comanda_my_feature/event_handlers.py", line.count("\n") + 1)]


@pytest.mark.parametrize(
    "line",
    [
        "from comanda.db import sql",
        "from comanda import clock, hookimpl",
        "import comanda.errors",
        "from comanda.devkit.testing.stores import TestStore",
        "from comanda_my_feature.models import Note",
        "import asyncpg",
    ],
)
def test_imports_of_what_is_public(feature, line):
    feature.add("event_handlers.py", f"{line}\n")

    assert feature.static() == []


def test_a_plugin_that_is_named_as_a_dependency_lends_its_api(feature):
    feature.edit("pyproject.toml", '    "comanda-core>=', '    "comanda_collection[more] >= 0.1",\n    "comanda-core>=')
    feature.add("event_handlers.py", "from comanda_collection.api import SlotSettingsChange\n")

    assert feature.static() == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("models.py", "from comanda_my_feature.routes.notes import routes"),
        ("services.py", "from comanda_my_feature import routes"),
        ("routes/notes.py", "from comanda.db import sql"),
    ],
)
def test_imports_point_inward(feature, path, line):
    feature.edit(path, "\nfrom ", f"\n{line}\nfrom ")

    assert {(rule, place) for rule, place, _ in feature.static()} == {("layers", f"src/comanda_my_feature/{path}")}


def test_a_file_that_is_not_python(feature):
    feature.add("event_handlers.py", "def f(:\n")

    assert feature.static() == [("syntax", "src/comanda_my_feature/event_handlers.py", 1)]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("templates/my_feature/a.html", '{% extends "comanda/base.html" %}\n<img src="https://a.example/x.png">', 2),
        ("templates/my_feature/_a.html", '<script src=//a.example/x.js></script>', 1),
        ("static/a.css", "\n\nbody { background: url(http://a.example/x.png) }", 3),
        ("static/a.css", '@import "https://a.example/x.css";', 1),
        ("static/a.js", 'import x from "https://a.example/x.js";', 1),
        ("static/a.js", "new WebSocket('wss://a.example/x')", 1),
        ("static/a.js", "await fetch(`https://a.example/${x}`)", 1),
    ],
)  # fmt: skip
def test_pages_load_nothing_from_elsewhere(feature, path, text, line):
    feature.add(path, text)

    assert feature.static() == [("external-resource", f"src/comanda_my_feature/{path}", line)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '{% extends "comanda/base.html" %}<a href="https://a.example">There</a><img src="/my/x.png">'),
        ("a.html", '{%- extends "my_feature/frame.html" -%}'),
        ("_part.html", "<p>Part of a page</p>"),
    ],
)
def test_pages_that_stand_in_the_shared_frame(feature, name, text):
    feature.add(f"templates/my_feature/{name}", text)

    assert feature.static() == []


@pytest.mark.parametrize("text", ["<html></html>", '{% extends "other/base.html" %}'])
def test_pages_that_do_not_stand_in_the_shared_frame(feature, text):
    feature.add("templates/my_feature/a.html", text)

    assert feature.static() == [("page-base", "src/comanda_my_feature/templates/my_feature/a.html", 1)]
