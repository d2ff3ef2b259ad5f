"""Rules for pyproject.toml, README, tests and typing marker."""

import shutil

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.findings import RULES


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
