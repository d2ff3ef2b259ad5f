"""Languages of pages: each says its own, and text that people wrote is shown in its own direction."""

import re
from pathlib import Path

import pytest
from sweep import sweep
from template_outline import STATEMENT, TemplateOutline

ROOT = Path(__file__).parents[2]
# Values that guests, staff or owners wrote: the last part of what is shown, such as in {{ order.customer_name }}.
WRITTEN = re.compile(
    r"[\w.\[\]'\"]*?\b(?:customer_name|guest_name|recipient_name|holder_name|notes?|address|description|comment"
    r"|frame_store\.title|store\.title|restaurant\.title|choice\.title|\w*(?:item|line|extra|category|guest|customer"
    r"|driver|owner|staff|person|store|variant|bouquet|change|app|user|source)\.name)"
)
# Names of the same form that the software wrote.
UNWRITTEN = {"setting.description": "of a setting of the operator", "starter.description": "of a menu of a vertical"}
PAGES = ("/", "/developers/", "/docs/", "/docs/guide/", "/docs/design", "/sign-in", "/kitchen/", "/driver/", "/nothing")


def list_templates():
    """List the templates of pages."""
    folders = ("core", "examples", "plugins", "verticals")
    paths = [path for folder in folders for path in ROOT.glob(f"{folder}/**/templates/**/*.html")]
    return [path for path in paths if "devkit" not in path.parts]


def list_undirected(text):
    """Yield the values that people wrote, shown where nothing says that their direction is their own."""
    for expression, elements in TemplateOutline(text).shown:
        value = re.split(r"\||\bor\b|\bif\b", expression)[0].strip()
        # A title in the head, or the argument of a macro, is in no element.
        inner = [(tag, attributes) for tag, attributes in elements if tag not in {"html", "title"}]
        if not WRITTEN.fullmatch(value) or value in UNWRITTEN or not inner or "translate" in expression:
            continue
        if not any(tag == "bdi" or "dir" in attributes for tag, attributes in inner):
            yield value


def test_text_that_people_wrote_has_its_own_direction():
    with sweep(at_least=40) as checks:
        for path in list_templates():
            with checks.check(path):
                found = list(list_undirected(path.read_text()))
                assert found == [], 'Write dir="auto" on its element, or put it into <bdi>.'


def test_templates_of_whole_pages_say_language_and_direction():
    with sweep(at_least=2) as checks:
        for path in list_templates():
            if "<html" not in (text := path.read_text()):
                continue
            with checks.check(path):
                (root,) = re.findall(r"<html\b[^>]*>", STATEMENT.sub("", text))
                assert re.search(r' lang="\{\{[^}]+\}\}"', root)
                assert re.search(r' dir="\{\{[^}]+\}\}"', root)


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("de", "ltr"), ("ar", "rtl")])
async def test_pages_are_in_the_language_that_they_say(client, language, direction):
    with sweep(at_least=len(PAGES)) as checks:
        for path in PAGES:
            with checks.check(path):
                response = await client.get(path, headers={"Accept-Language": language})
                text = await response.get_data(as_text=True)

                assert f'<html lang="{language}" dir="{direction}"' in text
                assert response.headers["Content-Language"] == language


def test_undirected_text_is_found():
    shown = '{% if a %}<p class="x">{{ order.customer_name or "" }}</p>{% endif %}<b dir="auto">{{ item.name }}</b>'

    assert list(list_undirected(shown)) == ["order.customer_name"]
    assert list(list_undirected("<p><bdi>{{ note }}</bdi></p><p>{{ item.name | translate }}</p>")) == []
