"""A valid theme with every section of the default theme."""

import json
from typing import Any

from comanda_themes.services.theme_files import load_default_theme

TEMPLATE = "templates/index.liquid"
LAYOUT = """<!doctype html>
<html lang="{{ request.locale }}">
<head>
  <title>{{ page_title }}</title>
  {{ 'theme.css' | asset_url | stylesheet_tag }}
  {{ content_for_header }}
</head>
<body>
  <main>{{ content_for_layout }}</main>
  {% section 'footer' %}
</body>
</html>
"""
MENU = """{% for category in menu.categories %}
  <h2>{{ category.name }}</h2>
  {% for item in category.items %}{% render 'card', item: item, is_large: forloop.first %}{% endfor %}
{% endfor %}
<form action="{{ store.url }}/search">
  <label for="note">{{ 'cart.note' | t }}</label><input id="note" name="q" value="{{ store.title }}">
  <label>{{ 'cart.table' | t }} <input name="table"></label>
  <input type="hidden" name="theme" value="{{ settings.accent }}">
  <button>{{ 'cart.send' | t }}</button>
</form>
<script type="application/json">{{ menu.categories | map: 'id' | json }}</script>
"""
CARD = """<article{% if is_large %} class="large"{% endif %}>
  {{ item.image_url | image_url: width: 300 | image_tag: alt: item.name }}
  {{ item.name }} {{ item.price | money }} {{ item.calories }}
  {% for variation in item.variations %}{{ variation.name }} {{ variation.price | money }}{% endfor %}
</article>
"""
SETTINGS = '[{"name": "Colours", "settings": [{"type": "color", "id": "accent", "label": "Accent"}]}]'
TEXTS = {"note": "Note", "table": "Table", "send": "Order"}


def create_theme() -> dict[str, str]:
    """Return the files of a small valid theme with every section of the default theme."""
    texts = load_default_theme().texts
    return {
        "layout/theme.liquid": LAYOUT,
        "templates/index.liquid": "{% section 'hero' %}{% section 'menu-list' %}",
        "templates/menu.liquid": MENU,
        "snippets/card.liquid": CARD,
        "assets/theme.css": "body { color: #222; background: url('paper.png') }",
        "config/settings_schema.json": SETTINGS,
        "locales/en.default.json": json.dumps(_add_texts(texts["locales/en.default.json"])),
        **{path: text for path, text in texts.items() if path.startswith(("sections/", "snippets/"))},
    }


def _add_texts(locale: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(locale)
    document["cart"] |= TEXTS
    return document
