"""Addresses of photos."""

import pytest
from comanda.platform.photos import urls

HASH = "ab" * 32


@pytest.fixture
def url(app):
    return urls.to_url(7, HASH, 1000)


@pytest.mark.parametrize(
    ("width", "served"), [(1, 160), (160, 160), (161, 320), (640, 640), (1000, 1280), (9000, 1280)]
)
def test_url_has_the_next_larger_width(url, width, served):
    assert urls.resize_url(url, width) == f"http://comanda.test/photos/7/{HASH}-{served}.webp"


@pytest.mark.parametrize(
    "foreign", ["https://elsewhere.example/a-320.webp", "", f"https://elsewhere.example/photos/7/{HASH}-320.webp"]
)
def test_urls_of_others_stay_as_they_are(app, foreign):
    assert urls.resize_url(foreign, 160) == foreign
    assert urls.to_source_set(foreign) == ""


def test_source_set_has_widths_up_to_the_largest(url):
    address = f"http://comanda.test/photos/7/{HASH}"
    assert urls.to_source_set(url, 320) == f"{address}-160.webp 160w, {address}-320.webp 320w"
