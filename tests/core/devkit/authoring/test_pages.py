"""Rules for pages."""

import pytest


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


@pytest.mark.parametrize("name", ["comanda/base.html", "kds/station.html", "base.html"])
def test_page_of_others_is_not_redesigned(feature, name):
    feature.add(f"pages/templates/{name}", '{% extends "my_feature/base.html" %}')

    assert feature.static() == [("page-redesign", f"src/comanda_my_feature/pages/templates/{name}", 1)]
