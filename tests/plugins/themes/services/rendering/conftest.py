"""Themes of one template, and pages to render with them."""

import pytest
from comanda_themes.services.rendering.page_requests import PageRequest
from comanda_themes.services.theme_files import to_theme_files

LAYOUT = "{{ content_for_header }}|{{ content_for_layout }}"


@pytest.fixture
def create_theme_files():
    def create(index, **files):
        texts = {"layout/theme.liquid": LAYOUT, "templates/index.liquid": index, **files}
        return to_theme_files({path: text.encode() for path, text in texts.items()})

    return create


@pytest.fixture
def page():
    return PageRequest(
        template="index",
        language="en",
        currency="EUR",
        timezone="Europe/Lisbon",
        head="<meta>",
        assets_path="/theme-assets/key",
        site_origin="http://comanda.test",
        objects={"store": {"title": "A & <b>"}, "menu": {"categories": [{"items": [{"id": 1}, {"id": 2}]}]}},
    )
