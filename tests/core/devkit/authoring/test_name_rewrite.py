"""Moved names in the package, the tests and the manifest are rewritten where nothing but the name is new."""

import ast

import pytest
from comanda.devkit.authoring.checker import rewrite_plugin

pytestmark = pytest.mark.usefixtures("moved")

OLD = '''\
import comanda.old.bells
import comanda.old.live as live
from comanda.basics import money
from comanda.old import routes
from comanda.old.routes import Route, Routes
from comanda.basics.money import (
    exponent,
    half_up,
)
from comanda.orders import records, stock
from comanda.basics.phones import normalise as clean

half = half_up(3, 2)
PLACE = "comanda.old.wire"


def split(exponent, wanted: "Route"):
    """Say what comanda.old.wire is."""
    comanda.old.bells.ring("é", records.order_record, records.Order, routes.Routes)
    live.send(clean(stock.move), money.half_up(exponent, 2))
    return live.SECONDS
'''
NEW = '''\
import comanda.platform.tasks.notifier
import comanda.devkit.testing.live as live, comanda.devkit.testing.polling
from comanda.basics import money
from comanda.contracts.requests import routes
from comanda.contracts import Route, Routes
from comanda.basics import get_exponent as exponent, round_half_up
from comanda.orders import records, order_json, stock
from comanda.basics import normalize_phone as clean

half = round_half_up(3, 2)
PLACE = "comanda.contracts.requests.fields"


def split(exponent, wanted: "Route"):
    """Say what comanda.old.wire is."""
    comanda.platform.tasks.notifier.notify("é", order_json.to_order_json, records.Order, routes.Routes)
    live.send_request(clean(stock.move_stock), money.round_half_up(exponent, 2))
    return comanda.devkit.testing.polling.MAX_WAIT_SECONDS
'''


@pytest.mark.parametrize("folder", ["tests", "src/comanda_my_feature"])
def test_moved_names_are_rewritten(feature, folder):
    file = feature.folder / folder / "settings.py"
    file.write_text(OLD)
    assert {rule for rule, _, _ in feature.static() if rule != "public-import"} == {"moved-name"}

    assert rewrite_plugin(feature.folder) == [file]

    assert file.read_text() == NEW
    ast.parse(NEW)
    assert "moved-name" not in {rule for rule, _, _ in feature.static()}
    assert rewrite_plugin(feature.folder) == []


def test_imports_of_modules_become_imports_of_packages(feature):
    file = feature.folder / "src" / "comanda_my_feature" / "event_handlers.py"
    file.write_text("from comanda.basics.errors import (\n    Conflict,\n    NotFound as Missing,\n)\n")
    assert {rule for rule, _, _ in feature.static()} == {"public-import"}

    assert rewrite_plugin(feature.folder) == [file]

    assert file.read_text() == "from comanda.basics import Conflict, NotFound as Missing\n"
    assert feature.static() == []


def test_manifest_is_rewritten(feature):
    feature.edit("pyproject.toml", "-p comanda.devkit.testing.plugin", "-p comanda.old.plugin")
    line = feature.line("pyproject.toml", "-p comanda.old.plugin")
    assert feature.static() == [("moved-name", "pyproject.toml", line)]

    assert rewrite_plugin(feature.folder) == [feature.folder / "pyproject.toml"]

    assert feature.static() == []
    assert "-p comanda.devkit.testing.plugin" in feature.file("pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from comanda.old.types import Drain\n", 1),
        ("from comanda.old import reading\n\nlist_them = reading.page_of_orders\n", 3),
    ],
)
def test_what_was_redesigned_is_called_so_and_left(feature, text, line):
    file = feature.folder / "tests" / "conftest.py"
    file.write_text(text)
    found = [("redesigned-name", "tests/conftest.py", line)]
    assert [each for each in feature.static() if each[0] == "redesigned-name"] == found

    assert rewrite_plugin(feature.folder) == []

    assert file.read_text() == text
