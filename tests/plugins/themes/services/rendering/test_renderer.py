"""What a theme's Liquid writes."""

import json
from dataclasses import replace

import pytest
from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.renderer import compile_theme

HERO = """<h1>{{ section.settings.heading | default: store.title }}</h1>{{ section.settings.text }}
{%- for block in section.blocks %}<p {{ block.attributes }}>{{ block.settings.label }}</p>{% endfor -%}
{% schema %}{"name": "Hero", "tag": "header", "settings": [
  {"type": "text", "id": "heading", "label": "Heading"}, {"type": "richtext", "id": "text", "label": "Text"}],
  "blocks": [{"type": "link", "name": "Link", "settings": [{"type": "text", "id": "label", "label": "Label"}]}]}
{% endschema %}"""


@pytest.fixture
def render(create_theme_files, page):
    def render(index, language="en", **files):
        rendered = compile_theme(create_theme_files(index, **files)).render(replace(page, language=language))
        return rendered.html.removeprefix("<meta>|")

    return render


@pytest.mark.parametrize(
    ("liquid", "written"),
    [
        ("{{ store.title }}", "A &amp; &lt;b&gt;"),
        ("{{ store.title | append: '</i>' }}", "A &amp; &lt;b&gt;</i>"),
        ("{{ 6.5 | money }}", "€6.50"),
        ("{{ '2026-11-03T17:30:00+00:00' | time }}", "17:30"),
        ("{{ '2026-11-03T17:30:00+00:00' | time: '%d.%m.' }}", "03.11."),
        ("{{ 'nonsense' | time }}", ""),
        ("{{ 'monday' | weekday }}", "Monday"),
        ("{{ 'a.css' | asset_url | stylesheet_tag }}", '<link rel="stylesheet" href="/theme-assets/key/a.css">'),
        ("{{ '\">' | image_tag: alt: '<' }}", '<img src="&#34;&gt;" alt="&lt;" loading="lazy" decoding="async">'),
        ("{{ store | json }}", "{&#34;title&#34;: &#34;A &amp; &lt;b&gt;&#34;}"),
        ("{% for item in menu.categories[0].items -%} {{ item.id }} {%- endfor %}", "12"),
        ("a {{- 'b' -}} c", "abc"),
        ("{{ store.nothing.at.all }}{{ 1 | divided_by: 0 }}x", "x"),
    ],
)  # fmt: skip
def test_liquid_writes_escaped_values(render, liquid, written):
    assert render(liquid) == written


def test_photo_of_other_host_waits_for_the_guest(render):
    html = render("{{ 'https://photos.example/a.jpg' | image_tag: alt: '' }}")

    assert 'data-src="https://photos.example/a.jpg"' in html
    assert " src=" not in html
    assert " hidden" in html


def test_texts_are_those_of_the_language(render):
    locales = {
        "locales/en.default.json": json.dumps({"cart": {"count": "{{ count }} items", "empty": "Empty"}}),
        "locales/pt.json": json.dumps({"cart": {"count": "{{ count }} artigos"}}),
    }

    liquid = "{{ 'cart.count' | t: count: 2 }} {{ 'cart.empty' | t }}"

    assert render(liquid, language="pt", **locales) == "2 artigos Empty"


def test_sections_are_those_that_the_owner_arranged(render):
    hero = {"type": "hero", "settings": {"heading": "<Hi>", "text": "**bold** <script>"}, "blocks": [
        {"id": "b1", "type": "link", "settings": {"label": "One"}}, {"type": "unknown"},
    ]}  # fmt: skip
    data = {"sections": {"index": {"order": ["s1", "gone"], "items": {"s1": hero}}}}
    files = {"sections/hero.liquid": HERO, "config/settings_data.json": json.dumps(data)}

    assert render("{% sections 'index' %}", **files) == (
        '<header id="section-s1" class="section-hero" data-section="s1"><h1>&lt;Hi&gt;</h1>'
        "<p><strong>bold</strong> &lt;script&gt;</p>\n"
        '<p data-block="b1">One</p></header>'
    )


def test_fixed_section_has_its_defaults(render):
    html = render("{% section 'hero' %}", **{"sections/hero.liquid": HERO})

    assert "<h1>A &amp; &lt;b&gt;</h1>" in html


@pytest.mark.parametrize(
    "liquid",
    [
        "{% for i in (1..3000000) %}x{% endfor %}",
        "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}",
        "{% render 'again' %}",
    ],
)
def test_endless_theme_fails(create_theme_files, page, liquid):
    theme = create_theme_files(liquid, **{"snippets/again.liquid": "{% render 'again' %}{% render 'again' %}"})

    with pytest.raises(ThemeFailed):
        compile_theme(theme).render(page)


def test_missing_template_fails(create_theme_files, page):
    with pytest.raises(ThemeFailed):
        compile_theme(create_theme_files("")).render(replace(page, template="item"))
