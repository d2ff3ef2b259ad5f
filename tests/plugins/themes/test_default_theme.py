"""The theme of stores without one of their own."""

import gzip
import json

import pytest
from comanda.web.languages.selection import LANGUAGES
from comanda_themes.services.checks.validation import validate_theme
from comanda_themes.services.theme_files import load_default_theme


def _list_keys(document, prefix=""):
    for name, value in document.items():
        yield from _list_keys(value, f"{prefix}{name}.") if isinstance(value, dict) else [f"{prefix}{name}"]


def test_default_theme_has_no_findings():
    assert validate_theme(load_default_theme().texts, ["is_vegan"]).findings == ()


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_default_theme_is_translated(language):
    texts = load_default_theme().texts
    source = json.loads(texts["locales/en.default.json"])

    assert list(_list_keys(json.loads(texts[f"locales/{language}.json"]))) == list(_list_keys(source))


async def test_assets_are_served_for_good(client):
    theme = load_default_theme()

    response = await client.get(f"{theme.assets_path}/theme.css")

    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert (await client.get("/theme-assets/other/theme.css")).status_code == 404
    assert (await client.get(f"{theme.assets_path}/gone.css")).status_code == 404


async def test_asset_is_compressed_for_clients_that_accept_it(client):
    path = f"{load_default_theme().assets_path}/theme.css"
    plain = await client.get(path)

    packed = await client.get(path, headers={"Accept-Encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(await packed.get_data()) == await plain.get_data()
