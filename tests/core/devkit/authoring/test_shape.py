"""Module names of plugin packages: role names only, in the form of their role."""

import shutil

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.findings import RULES
from comanda.devkit.authoring.shape import ROLES, RULE, Form


def shape_findings(feature):
    return [(rule, path) for rule, path, _ in feature.static() if rule == RULE]


@pytest.mark.parametrize("path", ["helpers.py", "entering.py", "errands/__init__.py", "acts/moves.py"])
def test_unknown_module_name_is_reported(feature, path):
    feature.add(path, '"""Something."""\n')

    assert shape_findings(feature) == [(RULE, f"src/comanda_my_feature/{path.partition('/')[0]}")]


def test_finding_names_the_roles(feature):
    feature.add("helpers.py", '"""Something."""\n')

    (found,) = check_plugin(feature.folder, is_static=True)

    assert all(role in found.sentence for role in ROLES)


def test_routes_module_must_be_folder(feature):
    (feature.package / "routes" / "notes.py").rename(feature.package / "routes.py")
    shutil.rmtree(feature.package / "routes")

    assert shape_findings(feature) == [(RULE, "src/comanda_my_feature/routes.py")]


def test_participant_folder_must_be_module(feature):
    feature.add("participant/__init__.py", '"""The order participant."""\n')

    assert shape_findings(feature) == [(RULE, "src/comanda_my_feature/participant")]


@pytest.mark.parametrize("name", sorted(name for name, (form, _) in ROLES.items() if form is not Form.FOLDER))
def test_role_name_is_allowed_as_module(feature, name):
    if not (feature.package / f"{name}.py").exists():
        feature.add(f"{name}.py", '"""A role."""\n')

    assert shape_findings(feature) == []


@pytest.mark.parametrize("name", sorted(name for name, (form, _) in ROLES.items() if form is not Form.FILE))
def test_role_name_is_allowed_as_folder(feature, name):
    (feature.package / f"{name}.py").unlink(missing_ok=True)
    feature.add(f"{name}/orders.py", '"""A role."""\n')

    assert shape_findings(feature) == []


def test_folder_without_modules_is_ignored(feature):
    (feature.package / "fonts").mkdir()
    (feature.package / "fonts" / "text.woff2").write_bytes(b"")

    assert shape_findings(feature) == []


def test_service_modules_may_have_any_name(feature):
    feature.add("services/refunds.py", '"""Refunds."""\n')

    assert shape_findings(feature) == []


def test_shape_rule_is_a_warning():
    assert RULES[RULE].severity.value == "warning"


def test_every_role_is_described():
    assert all(description.endswith(".") for _, description in ROLES.values())
