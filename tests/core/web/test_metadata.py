"""Metadata of public pages."""

import pytest
from comanda.web import metadata
from comanda.web.languages.selection import use_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a  b\n c", "a b c"), ("word " * 100, "word word word…"), ("x" * 19, "x" * 19)],
)
def test_descriptions_are_short_and_on_one_line(text, expected):
    assert metadata.shorten(text, 20) == expected


def test_languages_are_spelled_as_open_graph_does():
    page = metadata.PageMetadata("A", "b", "https://a.example/", "A")
    with use_language("pt"):
        assert page.locale == "pt_PT"
        assert page.other_locales == ("en_GB", "es_ES", "fr_FR", "de_DE", "ar_AR")
