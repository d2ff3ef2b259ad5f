"""An agent of the server for developers, and a valid theme."""

from importlib.resources import files

import pytest

GREEDY = "from comanda_mcp_dev.services.themes import worker; worker.set_limits(); "
SECONDS = 15
SECTION = "sections/a.liquid"
TEMPLATE = "templates/index.liquid"


@pytest.fixture
def agent(mcp):
    return mcp("/mcp/dev")


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
<form action="{{ cart.url }}">
  <label for="note">{{ 'cart.note' | t }}</label><input id="note" name="note" value="{{ cart.note }}">
  <label>{{ 'cart.table' | t }} <input name="table"></label>
  <input type="hidden" name="theme" value="{{ settings.accent }}">
  <button>{{ 'cart.send' | t }}</button>
</form>
<script type="application/json">{{ cart.lines | map: 'id' | json }}</script>
"""
CARD = """<article{% if is_large %} class="large"{% endif %}>
  {{ item.image_url | image_url: width: 300 | image_tag: alt: item.name }}
  {{ item.name }} {{ item.price | money }} {{ item.calories }}
  {% for variation in item.variations %}{{ variation.name }} {{ variation.price | money }}{% endfor %}
</article>
"""
SETTINGS = '[{"name": "Colours", "settings": [{"type": "color", "id": "accent", "label": "Accent"}]}]'
TEXTS = """{"cart": {"note": "Note", "table": "Table", "send": "Order"}, "footer": {"links": "Links"},
  "menu": {"empty": "Nothing yet"}, "hours": {"open_until": "Until", "opens_at": "From", "closed": "Closed"}}"""


@pytest.fixture
def theme():
    """A valid theme with every example section."""
    examples = files("comanda_mcp_dev").joinpath("themes", "sections")
    sections = {f"sections/{path.name}": path.read_text() for path in examples.iterdir()}
    return {
        "layout/theme.liquid": LAYOUT,
        "templates/index.liquid": "{% section 'hero' %}{% section 'menu-list' %}",
        "templates/menu.liquid": MENU,
        "snippets/card.liquid": CARD,
        "assets/theme.css": "body { color: #222; background: url('paper.png') }",
        "config/settings_schema.json": SETTINGS,
        "locales/en.default.json": TEXTS,
        **sections,
    }
