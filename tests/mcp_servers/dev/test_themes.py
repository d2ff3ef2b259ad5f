"""Themes: one without a fault, every rule, and what an enemy would send."""

import asyncio
import json
import subprocess
import sys
from time import perf_counter

import jsonschema
import pytest
from comanda_mcp_dev.services import theme_checks
from comanda_mcp_dev.services.themes import reference, validation
from comanda_mcp_dev.services.themes.parser import ThemeEnvironment
from comanda_mcp_dev.services.themes.validation import validate_theme

# A machine under load is slow; an algorithm that is not linear takes minutes.
SECONDS = 15


async def test_a_theme_without_a_fault_is_valid(agent, theme):
    report = await agent.call("validate_theme", {"files": theme})

    assert report["findings"] == []
    assert report["summary"] == {
        "is_valid": True, "errors": 0, "warnings": 0, "files": 13, "files_checked": 13, "findings_left_out": 0,
    }  # fmt: skip


async def test_a_finding_tells_file_line_severity_and_rule(agent, theme):
    files = {**theme, "templates/index.liquid": "\n\n<p>{{ store.titel }}</p>\n{{ 'gone.css' | asset_url }}"}

    report = await agent.call("validate_theme", {"files": files})

    assert report["findings"] == [
        {
            "file": "templates/index.liquid",
            "line": 3,
            "severity": "error",
            "rule": "unknown_property",
            "message": "A store has no titel. Did you mean title?",
        },
        {
            "file": "templates/index.liquid",
            "line": 4,
            "severity": "warning",
            "rule": "missing_asset",
            "message": "The theme has no assets/gone.css.",
        },
    ]
    assert report["summary"]["is_valid"] is False
    assert (report["summary"]["errors"], report["summary"]["warnings"]) == (1, 1)


SCHEMA = '{"name": "A", "settings": [%s]}'
TEMPLATE = "templates/index.liquid"
SECTION = "sections/a.liquid"


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
        (TEMPLATE, "{% assign c = cart %}{{ c.rows }}", 1, "unknown_property"),
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
def test_every_rule_finds_its_fault_in_its_line(theme, path, text, line, rule):
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
def test_what_is_right_is_not_complained_about(theme, text):
    files = {**theme, TEMPLATE: text, "assets/theme.js": "go()"}
    if "store.group" in text:
        files[TEMPLATE] = text.replace("store.group", "store.vertical.group")
    if "a | default" in text:
        files[TEMPLATE] = "<img alt='' src='a'>"

    assert validate_theme(files, {"calories"}).findings == ()


def test_missing_files_are_told():
    report = validate_theme({"assets/theme.css": ""})

    assert [(found.file, found.rule) for found in report.findings] == [
        ("layout/theme.liquid", "required_file"),
        ("templates/index.liquid", "required_file"),
        ("templates/menu.liquid", "required_file"),
    ]


def test_a_settings_file_that_cannot_be_read_makes_no_further_noise(theme):
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
def test_hostile_files_are_done_in_bounded_time(text):
    started = perf_counter()

    report = validate_theme({TEMPLATE: text[:1_000_000]})

    assert perf_counter() - started < SECONDS
    assert len(report.findings) <= 500


@pytest.mark.parametrize(
    "document",
    [
        "[" * 500_000,
        '{"a":' * 100_000,
        "1" * 500_000,
        '"' + "\\" * 500_000,
        "[" + "1," * 240_000 + "1]",
        "{" + ",".join(f'"k{number}":1' for number in range(40_000)) + "}",
    ],
)
def test_hostile_json_is_done_in_bounded_time(document):
    files = {"config/settings_schema.json": document, SECTION: "{% schema %}" + document + "{% endschema %}"}
    started = perf_counter()

    report = validate_theme(files)

    assert perf_counter() - started < SECONDS
    assert len(report.findings) <= 500


def test_findings_that_nobody_would_read_are_counted():
    text = "\n".join(["<img>"] * 700)

    report = validate_theme({TEMPLATE: text})

    assert len(report.findings) == 500
    assert report.left_out == 202


def test_a_check_that_takes_too_long_says_where_it_stopped(theme, monkeypatch):
    monkeypatch.setattr(validation, "MAX_CHECK_SECONDS", -1)

    report = validate_theme(theme)

    assert {found.rule for found in report.findings} == {"too_complex"}
    assert len(report.findings) == sum(path.endswith(".liquid") for path in theme)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {f"assets/a{number}.css": "" for number in range(201)},
        {"assets/a.css": "é" * 300_000, "assets/b.css": "é" * 200_001},
    ],
)
async def test_too_much_is_refused(agent, files):
    refused = await agent.refused("validate_theme", {"files": files})

    assert refused["code"] == "validation_failed"
    assert list(refused["errors"]) == ["files"]


@pytest.mark.parametrize("files", [{"a.css": 7}, {"a.css": None}, ["a.css"], "a.css"])
async def test_files_that_are_no_texts_are_refused(agent, files):
    assert (await agent.refused("validate_theme", {"files": files}))["code"] == "validation_failed"


async def test_other_calls_are_answered_while_a_theme_is_checked(agent, mcp):
    heavy = asyncio.create_task(agent.call("validate_theme", {"files": {TEMPLATE: '<a "' * 200_000}}))
    await asyncio.sleep(0.05)

    assert await mcp("/mcp/dev").result("ping") == {}
    assert not heavy.done()
    assert (await heavy)["summary"]["files_checked"] == 1


async def test_where_too_many_wait_the_next_is_told_to_come_back(agent, monkeypatch):
    monkeypatch.setattr(theme_checks, "_waiting", theme_checks.MAX_WAITING)

    error = await agent.error("validate_theme", {"files": {TEMPLATE: ""}})

    assert error["code"] == -32006
    assert theme_checks._waiting == theme_checks.MAX_WAITING


async def test_lone_surrogates_are_no_reason_to_fail(agent):
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_theme","arguments":'
    response = await agent.post(body + b'{"files":{"assets/a.css":"\\ud800"}}}}')

    assert response.status_code in {200, 400}


def test_the_parser_is_imported_only_when_a_theme_is_checked():
    code = "import sys, comanda_mcp_dev.plugin; print('liquid' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


def test_the_reference_and_the_parser_have_the_same_tags_and_filters():
    environment = ThemeEnvironment()
    ours = {name for name, entry in reference.load_filters().items() if entry["group"] in {"store", "files"}}

    verbatim = {"raw", "schema"}
    assert {*environment.tags} - {"#", "content", "output", "illegal"} == {*reference.load_tags()} - verbatim
    assert {*environment.filters} == {*reference.load_filters()} - ours


def test_every_type_of_the_reference_is_there():
    plain = {
        "text",
        "integer",
        "amount",
        "boolean",
        "moment",
        "any",
        "theme_settings",
        "section_settings",
        "block_settings",
    }
    for found in reference.load_objects().values():
        for one in found.properties:
            kind = one.type.removeprefix("list of ")
            assert kind in plain or kind in reference.load_objects(), f"{found.name}.{one.name}"


async def test_the_reference_is_had_whole_by_kind_and_by_name(agent):
    whole = await agent.call("get_liquid_reference")
    filters = await agent.call("get_liquid_reference", {"kind": "filter"})
    money = await agent.call("get_liquid_reference", {"name": "money"})

    assert len(whole["tags"]) == len(reference.load_tags())
    assert (filters["tags"], filters["objects"]) == ([], [])
    assert filters["filters"] == whole["filters"]
    assert [entry["name"] for entry in money["filters"]] == ["money"]
    assert (money["tags"], money["objects"]) == ([], [])


async def test_items_have_the_fields_that_plugins_give_them(agent):
    found = await agent.call("get_liquid_reference", {"name": "item", "kind": "object"})

    names = [one["name"] for one in found["objects"][0]["properties"]]
    assert {"price", "is_vegan", "calories"} < set(names)
    assert len(set(names)) == len(names)


async def test_a_name_that_themes_do_not_have_is_not_found(agent):
    assert (await agent.refused("get_liquid_reference", {"name": "include"}))["code"] == "not_found"
    assert (await agent.refused("get_section_schema", {"section": "../hero"}))["code"] == "not_found"


async def test_the_schema_of_sections_takes_every_example_and_comes_with_them(agent):
    answer = await agent.call("get_section_schema")
    hero = await agent.call("get_section_schema", {"section": "hero"})

    names = [example["name"] for example in answer["examples"]]
    assert names == ["featured-item", "footer", "gallery", "hero", "menu-list", "opening-hours"]
    assert [example["path"] for example in hero["examples"]] == ["sections/hero.liquid"]
    assert all(example["summary"] for example in answer["examples"])
    for example in answer["examples"]:
        text = example["liquid"].partition("{% schema %}")[2].partition("{% endschema %}")[0]
        _check(answer["section"], json.loads(text))


def _check(schema, document):
    jsonschema.Draft202012Validator(schema).validate(document)
