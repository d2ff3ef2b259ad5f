"""Validation of themes: every rule, and hostile input."""

from time import process_time

import pytest
from comanda_themes.services.checks import validation
from comanda_themes.services.checks.validation import validate_theme

from ...conftest import SECONDS, SECTION, TEMPLATE

# A machine under load is slow; an algorithm that is not linear takes minutes.


SCHEMA = '{"name": "A", "settings": [%s]}'


def section(settings="", liquid=""):
    return f"{liquid}\n{{% schema %}}\n{SCHEMA % settings}\n{{% endschema %}}"


@pytest.mark.parametrize(
    ("path", "text", "line", "rule"),
    [
        (TEMPLATE, "a\n{{ store.title", 2, "liquid_syntax"),
        (TEMPLATE, "{% if store.is_open", 1, "liquid_syntax"),
        (TEMPLATE, "{% if store.is_open %}\nOpen", 1, "liquid_syntax"),
        (TEMPLATE, "a\n{% endif %}", 2, "liquid_syntax"),
        (TEMPLATE, "a\n\n{% for in menu %}{% endfor %}", 3, "liquid_syntax"),
        (TEMPLATE, "{{ }}", 1, "liquid_syntax"),
        (TEMPLATE, "{% %}", 1, "liquid_syntax"),
        (TEMPLATE, "{{ store.title | }}", 1, "liquid_syntax"),
        (TEMPLATE, "{% raw %}{{ a", 1, "liquid_syntax"),
        (TEMPLATE, "{% comment %}", 1, "liquid_syntax"),
        (TEMPLATE, "{% section hero %}", 1, "liquid_syntax"),
        (TEMPLATE, "a\n{% include 'card' %}", 2, "unknown_tag"),
        (TEMPLATE, "{% liquid\n  echo store.title\n  explode now\n%}", 3, "unknown_tag"),
        (TEMPLATE, "a\n{{ store.title | shout }}", 2, "unknown_filter"),
        (TEMPLATE, "{{ store.title | safe }}", 1, "unknown_filter"),
        (TEMPLATE, "a\n{{ shop.title }}", 2, "unknown_object"),
        (TEMPLATE, "{{ section.id }}", 1, "unknown_object"),
        (TEMPLATE, "{{ item.name }}", 1, "unknown_object"),
        (TEMPLATE, "{% for item in menu.categories %}{% endfor %}{{ forloop.index }}", 1, "unknown_object"),
        ("snippets/other.liquid", "{{ thing }}", 1, "unknown_object"),
        (TEMPLATE, "{% for c in menu.categories %}\n{{ c.nmae }}{% endfor %}", 2, "unknown_property"),
        (TEMPLATE, "{% for c in categories %}{% for i in c.items %}{{ i.cost }}{% endfor %}{% endfor %}", 1,
         "unknown_property"),
        (TEMPLATE, "{% assign c = store %}{{ c.rows }}", 1, "unknown_property"),
        (TEMPLATE, "{{ menu.categories.name }}", 1, "unknown_property"),
        (TEMPLATE, "{{ store.hours.monday.first.opens }}", 1, "unknown_property"),
        (TEMPLATE, "{{ settings.nothing }}", 1, "unknown_property"),
        (TEMPLATE, "{% render 'gone' %}", 1, "missing_snippet"),
        (TEMPLATE, "{% liquid\n  render 'gone'\n%}", 2, "missing_snippet"),
        (TEMPLATE, "{% section 'gone' %}", 1, "missing_section"),
        (SECTION, section(liquid="{% section 'hero' %}"), 1, "section_place"),
        (TEMPLATE, "{{ 'gone.js' | asset_url | script_tag }}", 1, "missing_asset"),
        (TEMPLATE, "{{ 'no.such.text' | t }}", 1, "missing_text"),
        (TEMPLATE, "a\n<img src='x'>", 2, "img_alt"),
        (TEMPLATE, "<img src='{{ store.url }}' {% if store.is_open %}class='x'{% endif %}>", 1, "img_alt"),
        (TEMPLATE, "{{ 'a.png' | asset_url | image_tag: class: 'x' }}", 1, "img_alt"),
        (TEMPLATE, "<label for='a'>A</label>\n<input id='b'>", 2, "field_label"),
        (TEMPLATE, "<select name='a'></select>", 1, "field_label"),
        (TEMPLATE, "<label>A</label><textarea></textarea>", 1, "field_label"),
        (TEMPLATE, "<iframe src='/a'></iframe>", 1, "frame_title"),
        ("layout/plain.liquid", "<html>{{ content_for_header }}{{ content_for_layout }}</html>", 1, "html_lang"),
        ("layout/plain.liquid", "<html lang='en'>{{ content_for_layout }}</html>", 1, "layout_content"),
        (TEMPLATE, "<script>alert(1)</script>", 1, "inline_script"),
        (TEMPLATE, "<button\n  onclick='go()'>Go</button>", 1, "inline_script"),
        (TEMPLATE, "<a href=' javascript:go()'>Go</a>", 1, "inline_script"),
        (TEMPLATE, "<style>p { color: red }</style>", 1, "inline_style"),
        (TEMPLATE, "<p style='color: red'>a</p>", 1, "inline_style"),
        (TEMPLATE, "<script src='https://cdn.example/a.js'></script>", 1, "external_reference"),
        (TEMPLATE, "<script src=//cdn.example/a.js></script>", 1, "external_reference"),
        (TEMPLATE, "<link rel='stylesheet' href='https://fonts.example/a.css'>", 1, "external_reference"),
        (TEMPLATE, "{{ 'https://cdn.example/a.js' | script_tag }}", 1, "external_reference"),
        ("assets/more.css", "a {}\n@import 'https://fonts.example/a.css';", 2, "external_reference"),
        ("assets/more.css", "p { background: url(//a.example/b.png) }", 1, "external_reference"),
        (SECTION, "<p>No schema</p>", 1, "schema_missing"),
        (SECTION, "a\n{% schema %}\n{'name': 1}\n{% endschema %}", 3, "schema_json"),
        (SECTION, '{% schema %}{"name": "A", "name": "B"}{% endschema %}', 1, "schema_json"),
        (SECTION, '{% schema %}{"name": NaN}{% endschema %}', 1, "schema_json"),
        (SECTION, "{% schema %}[]{% endschema %}", 1, "schema_invalid"),
        (SECTION, '{% schema %}\n{"name": "A",\n "colour": 1}{% endschema %}', 3, "schema_invalid"),
        (SECTION, section('{"type": "textt", "id": "a", "label": "A"}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "text", "id": "A b", "label": "A"}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "select", "id": "a", "label": "A", "options": []}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "range", "id": "a", "label": "A", "min": 5, "max": 1, "default": 2}'), 2,
         "schema_invalid"),
        (SECTION, section('{"type": "color", "id": "a", "label": "A", "default": "red"}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "url", "id": "a", "label": "A", "default": "javascript:go()"}'), 3,
         "schema_invalid"),
        (SECTION, section('{"type": "checkbox", "id": "a", "label": "A", "default": "yes"}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "item", "id": "a", "label": "A", "default": 3}'), 3, "schema_invalid"),
        (SECTION, section('{"type": "text", "id": "a", "label": "A"}, {"type": "url", "id": "a", "label": "B"}'), 3,
         "schema_invalid"),
        (SECTION, '{% schema %}{"name": "A", "presets": [{"name": "P", "blocks": [{"type": "x"}]}]}{% endschema %}', 1,
         "schema_invalid"),
        (SECTION, section() + section(), 5, "schema_place"),
        (TEMPLATE, section(), 2, "schema_place"),
        (SECTION, section('{"type": "text", "id": "a", "label": "A"}', "{{ section.settings.b }}"), 1,
         "unknown_property"),
        (SECTION, section(liquid="{% for block in section.blocks %}{{ block.settings.b }}{% endfor %}"), 1,
         "unknown_property"),
        ("config/settings_schema.json", "[{]", 1, "json_invalid"),
        ("config/settings_schema.json", '[{"title": "A"}]', 1, "schema_invalid"),
        ("config/settings_data.json", "{,}", 1, "json_invalid"),
        ("locales/pt.json", "[]", 1, "json_invalid"),
        ("templates/unheard-of.liquid", "", 1, "unknown_path"),
        ("../layout/theme.liquid", "", 1, "unknown_path"),
        ("sections/Big.liquid", "", 1, "unknown_path"),
        ("assets/virus.exe", "", 1, "unknown_path"),
        (TEMPLATE, "{{ '" + "x" * 1001 + "' }}", 1, "too_complex"),
        (TEMPLATE, "{{ menu" + "[menu" * 21 + "]" * 21 + " }}", 1, "too_complex"),
        (TEMPLATE, "{% liquid\n echo menu" + "[menu" * 21 + "]" * 21 + "\n%}", 1, "too_complex"),
        (TEMPLATE, "{% if cart %}" * 40 + "{% endif %}" * 40, 1, "liquid_syntax"),
    ],
)  # fmt: skip
def test_every_rule_reports_its_line(theme, path, text, line, rule):
    report = validate_theme({**theme, path: text}, {"calories"})

    assert (path, line, rule) in [(found.file, found.line, found.rule) for found in report.findings], report.findings
    # Other faults in the same file are possible; the theme's other files have none.
    assert {found.file for found in report.findings} <= {path, *(path for path in theme if "footer" in path)}


@pytest.mark.parametrize(
    "text",
    [
        "{% raw %}{{ anything at all {% endraw %}",
        "{% comment %}{% nonsense %}<img>{% endcomment %}",
        "<!-- <img> <script>go()</script> -->",
        "<img alt='' src='a'>{{ a | default: store.title }}{% assign a = 1 %}",
        "<img {{ store.title }}>",
        "<input aria-label='Name'><input type=submit><input type='HIDDEN' name='x'>",
        "{% for item in menu.categories %}<label for='{{ item.id }}'>Q</label><input id='{{ item.id }}'>{% endfor %}",
        "{% for i in (1..3) %}{{ forloop.index }} {{ i }}{% endfor %}",
        "{{ store.hours[store.title].first.open }} {{ menu.categories[0].items.size }} {{ store['title'] }}",
        "{% assign x = menu.categories | first %}{{ x.anything }}",
        "{% capture label %}a{% endcapture %}{{ label }}",
        "{%- if store.is_open -%} {{- store.title -}} {%- endif -%}",
        "{% case store.group %}{% when 'a' %}{% else %}{% endcase %}",
        "a < b && c > d { } % }} %}",
        "<script src='{{ 'theme.js' | asset_url }}'></script><script type='application/ld+json'>{}</script>",
        "",
    ],
)
def test_valid_liquid_has_no_findings(theme, text):
    files = {**theme, TEMPLATE: text, "assets/theme.js": "go()"}
    if "store.group" in text:
        files[TEMPLATE] = text.replace("store.group", "store.vertical.group")
    if "a | default" in text:
        files[TEMPLATE] = "<img alt='' src='a'>"

    assert validate_theme(files, {"calories"}).findings == ()


def test_invalid_settings_file_is_one_finding(theme):
    report = validate_theme({**theme, "config/settings_schema.json": "{"}, {"calories"})

    assert [found.rule for found in report.findings] == ["json_invalid"]


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 500_000,
        "{%" * 500_000,
        "{" * 1_000_000,
        "}" * 1_000_000,
        "{{ a }}" * 140_000,
        "{% if a %}" * 29_000,
        "{% for i in (1..99999999999) %}{% for j in (1..99999999999) %}" * 10_000,
        "{% raw %}" * 100_000,
        "{% comment %}{% comment %}" * 40_000,
        ("{{" + " " * 1900 + "a }}") * 500,
        ("{%" + " " * 1900 + "if" + " " * 1900 + " a %}") * 250,
        ("{{ " + "a[" * 490 + " }}") * 1000,
        ("{% if " + "a and " * 160 + "a %}") * 1000,
        ("{{ a" + "|upcase" * 140 + " }}") * 1000,
        ('{{ "' + "'" * 990 + " }}") * 1000,
        "".join(f"{{{{ x{number} }}}}" for number in range(29_000)),
        "{% liquid\n" + "echo a\n" * 2800 + "%}",
        "<" * 1_000_000,
        '<a "' * 250_000,
        "<img a=" * 140_000,
        "<!--" * 250_000,
        "<script>" * 125_000,
        "<a" + " b" * 490_000,
        "\n" * 1_000_000,
        "\ue000\u202e\x00" * 100_000,
    ],
    ids=lambda text: text[:20].strip() or "blank",
)
def test_hostile_files_take_bounded_time(text):
    started = process_time()

    report = validate_theme({TEMPLATE: text[:1_000_000]})

    assert process_time() - started < SECONDS
    assert len(report.findings) <= 500


def test_slow_check_reports_where_it_stopped(theme, monkeypatch):
    monkeypatch.setattr(validation, "MAX_CHECK_SECONDS", -1)

    report = validate_theme(theme)

    assert {found.rule for found in report.findings} == {"too_complex"}
    assert len(report.findings) == sum(path.endswith(".liquid") for path in theme)
