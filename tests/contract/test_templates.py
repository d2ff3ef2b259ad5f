"""Templates of core and of every plugin: nothing that a person has written is taken for HTML."""

from collections import defaultdict
from pathlib import Path

import pytest
from jinja2 import Environment, nodes
from sweep import sweep

ROOT = Path(__file__).parents[2]
TRANSLATORS = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
# Texts that ``_`` gets are trusted as HTML. ``ngettext`` has two, ``pgettext`` a context and a text.
# What is HTML already, with how it was made.
PANEL = "rendered by a template of the panel's plugin"
HTML = {
    "two_factor.html pending.qr_svg": "drawn by the QR library",
    "_sheet.html styles": "a file of the plugin",
    "_sheet.html card.code": "drawn by the QR library",
    "menu_item.html panel.html": PANEL,
    "customer.html panel.html": PANEL,
    "owner.html panel.html": PANEL,
    "order.html panel.html": PANEL,
    "receipt.html panel.html": PANEL,
    "today.html panel.html": PANEL,
}
TEXTS = {"_": 1, "gettext": 1, "ngettext": 2, "pgettext": 2, "npgettext": 3}


@pytest.fixture(scope="module")
def templates():
    """Return the parsed templates by path."""
    environment = Environment(autoescape=True, extensions=["jinja2.ext.i18n", "jinja2.ext.do"])
    paths = [
        path for folder in ("core", "plugins", "verticals") for path in ROOT.glob(f"{folder}/**/templates/**/*.html")
    ]
    return {path: environment.parse(path.read_text()) for path in paths}


def test_only_literals_are_translated_as_html(templates):
    with sweep(at_least=40) as checks:
        for path, template in templates.items():
            with checks.check(path):
                wrong = [
                    call.lineno
                    for call in template.find_all(nodes.Call)
                    if isinstance(call.node, nodes.Name) and call.node.name in TRANSLATORS
                    for argument in call.args[: TEXTS[call.node.name]]
                    if not isinstance(argument, nodes.Const)
                ]
                assert wrong == [], "Write {{ text|translate }} for a text that is no literal."


def test_values_are_escaped(templates):
    with sweep(at_least=40) as checks:
        for path, template in templates.items():
            with checks.check(path):
                marked = {
                    f"{path.name} {found.node.node.name}.{found.node.attr}"
                    if isinstance(found.node, nodes.Getattr)
                    else f"{path.name} {getattr(found.node, 'name', found.node)}"
                    for found in template.find_all(nodes.Filter)
                    if found.name == "safe" and not isinstance(found.node, nodes.Const)
                }
                assert marked <= HTML.keys(), "Let Jinja escape the value, or say here how its HTML is made."


def test_every_reason_is_needed(templates):
    texts = defaultdict(str)
    for path in templates:
        # Folders of several plugins have a template of the same name.
        texts[path.name] += path.read_text()

    assert [place for place in HTML if place.split()[1] not in texts[place.split()[0]]] == []
