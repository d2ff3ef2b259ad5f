"""Templates of pages escape and call as the library does."""

import enum

import pytest
from comanda.web.application import PageApplication, PageTemplates
from markupsafe import Markup, escape


class Word(enum.StrEnum):
    SIGNS = "<'&\">"


class Tag:
    def __html__(self):
        return "<br>"


@pytest.fixture
def templates() -> PageTemplates:
    return PageApplication(timeout_seconds=1).jinja_env


def test_templates_escape_as_the_library_does(templates):
    values = [Word.SIGNS, "<'&\">", Markup("<b>"), Markup("<b>%s</b>") % "<", Tag(), None, 5, 2.5, ["<"], Word]

    shown = templates.from_string("{% for each in values %}{{ each }}|{% endfor %}{{ nothing }}").render(values=values)

    assert shown == "".join(f"{escape(each)}|" for each in values)


def test_templates_call_macros_texts_and_functions(templates):
    templates.globals["twice"] = lambda text: text * 2
    source = """{% macro bold(text, tag="b") %}<{{ tag }}>{{ text }}{{ caller() if caller }}</{{ tag }}>{% endmacro -%}
        {% for each in values %}{{ bold(each) }}{{ bold(each, tag="i") }}{{ twice(each) }}{{ _("Yes") }}{% endfor -%}
        {{ _("%(what)s is here", what="<") }}{% call bold("x") %}<hr>{% endcall %}"""

    shown = templates.from_string(source).render(values=["<"])

    assert shown == ("<b>&lt;</b><i>&lt;</i>&lt;&lt;Yes&lt; is here<b>x<hr></b>")
