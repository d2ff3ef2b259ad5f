"""Pages of the API reference: what they show, from where, and how they are sent."""

import gzip
import json
import re
from html import unescape

import pytest
from comanda.web.api_reference.catalog import EVENTS, Catalog
from comanda.web.api_reference.openapi import document
from comanda.web.documentation import served_pages
from installed_plugins import get_registry

REGISTRY = get_registry()
SECTIONS = [section.name for section in Catalog(REGISTRY).sections]


async def read(client, path, **options):
    response = await client.get(path, **options)
    return response, (await response.get_data()).decode()


@pytest.mark.parametrize("name", SECTIONS)
async def test_a_page_shows_every_operation_of_its_section(client, name):
    response, text = await read(client, f"/docs/{name}/")

    assert (response.status_code, response.mimetype) == (200, "text/html")
    section = served_pages.get_documentation().catalog.get_section(name)
    assert text.count('<section class="operation"') == len(section.entries)
    for entry in section.entries:
        assert f'id="{entry.anchor}"' in text
        # In the page and in the list of pages.
        assert f'href="/docs/{name}/#{entry.anchor}"' in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert [each for each in ids if ids.count(each) > 1] == []
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert "style=" not in text
    assert "<script>" not in text


@pytest.mark.parametrize("name", SECTIONS)
async def test_fields_of_bodies_and_parameters_are_on_the_page(client, name):
    _, text = await read(client, f"/docs/{name}/")
    content = served_pages.get_documentation().catalog.read(name)
    shown = set(re.findall(r"<code>([^<]+)</code>", text))

    for operation in content.operations:
        for parameter in operation.get("parameters", ()):
            assert parameter["name"] in shown, operation["operationId"]
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if name != EVENTS and "$ref" in schema:
            body = content.schemas[schema["$ref"].rpartition("/")[2]]
            assert set(body.get("properties", ())) <= shown, operation["operationId"]


async def test_an_operation_of_an_owner(client):
    _, text = await read(client, "/docs/orders/")
    part = text[text.index('<section class="operation" id="place-order"') :]
    part = part[: part.index("</section>")]
    plain = unescape(re.sub(r"<[^>]+>", "", part))

    assert ">Place an order</a>" in part
    assert "/api/v1/restaurants/{id}/orders" in plain
    assert ">orders:write</code>" in part
    assert 'id="post_restaurants_id_orders"' in part, "links of the API's description lead here too"
    assert 'curl -X POST "http://comanda.test/api/v1/restaurants/1/orders"' in plain
    assert "response = requests.post(" in plain
    assert "await fetch(" in plain
    assert '<span data-token="own_ app_">own_YOUR_TOKEN</span>' in part
    assert "client_uuid" in plain
    for code in ("unauthenticated", "validation_failed", "rate_limited"):
        assert f"<code>{code}</code>" in part


async def test_an_event_shows_a_whole_delivery(client):
    _, text = await read(client, "/docs/events/")
    part = text[text.index('<section class="operation" id="order-created"') :]
    part = part[: part.index("</section>")]
    shown = unescape(re.sub(r"<[^>]+>", "", re.search(r"<pre.*?</pre>", part, re.DOTALL)[0]))

    described = document(REGISTRY, "")["webhooks"]["order.created"]["post"]["requestBody"]["content"]
    assert json.loads(shown) == described["application/json"]["examples"]["delivery"]["value"]


async def test_the_overview_tells_what_applies_to_all(client, runtime):
    response, text = await read(client, "/docs/")

    assert response.status_code == 200
    for heading in ("authentication", "errors", "pagination", "idempotency", "versioning", "rate-limits", "webhooks"):
        assert f'<h2 id="{heading}">' in text
    for kind in runtime.registry.caller_kinds.values():
        assert f"{kind.prefix}…" in text
    assert "http://comanda.test/api/v1" in text
    assert f"{runtime.settings.requests_per_minute} requests a minute" in text
    assert re.findall(r"\{(?:site_url|token_kinds|error_codes|requests_per_minute)\}", text) == []
    for name in SECTIONS:
        assert f'href="/docs/{name}/"' in text


async def test_pages_lead_from_one_to_the_next(client):
    followed, path = [], f"/docs/{SECTIONS[0]}/"
    while path:
        followed.append(path.split("/")[2])
        _, text = await read(client, path)
        found = re.search(r'<a rel="next" class="next" href="([^"]+)"', text)
        path = found[1] if found else None

    assert followed == SECTIONS


@pytest.mark.parametrize("path", ["/docs/nothing/", "/docs/Orders/", "/docs/%00/"])
async def test_an_unknown_section_is_not_found(client, path):
    assert (await client.get(path)).status_code == 404


async def test_a_page_is_sent_compressed_and_once(client):
    response = await client.get("/docs/orders/", headers={"Accept-Encoding": "br, gzip"})
    compressed = await response.get_data()
    _, plain = await read(client, "/docs/orders/", headers={"Accept-Encoding": "identity"})

    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(compressed).decode() == plain
    assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(response.vary)
    again = await client.get("/docs/orders/", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, await again.get_data()) == (304, b"")


async def test_a_browser_that_wants_no_gzip_gets_none(client):
    response, text = await read(client, "/docs/", headers={"Accept-Encoding": "gzip;q=0"})

    assert "Content-Encoding" not in response.headers
    assert text.startswith("<!doctype html>")


@pytest.mark.parametrize("name", SECTIONS)
async def test_a_page_is_light_on_the_wire(client, name):
    response = await client.get(f"/docs/{name}/", headers={"Accept-Encoding": "gzip"})

    assert len(await response.get_data()) < 60_000


async def test_the_frame_is_in_the_readers_language_and_the_api_is_english(client):
    _, text = await read(client, "/docs/orders/", headers={"Accept-Language": "ar"})

    assert '<html lang="ar" dir="rtl"' in text
    assert 'lang="en" dir="ltr"><a class="anchor" href="#place-order">Place an order</a>' in text


async def test_colours_are_those_that_the_reader_chose(client):
    _, light = await read(client, "/docs/orders/")
    _, dark = await read(client, "/docs/orders/", headers={"Cookie": "comanda_theme=dark"})

    assert 'data-theme="dark"' in dark
    assert 'data-theme="dark"' not in light


async def test_addresses_are_those_by_which_the_reader_came(client, runtime, monkeypatch):
    monkeypatch.setattr(runtime.settings, "public_url", None)
    _, text = await read(client, "/docs/orders/", headers={"Host": "shop.local:8123"})

    assert "http://shop.local:8123/api/v1/restaurants/1/orders" in text
    assert "comanda.test" not in text


@pytest.mark.parametrize("host", ['a"><b>', "a/b", "a b", "", "x." * 150])
async def test_a_host_that_is_none_is_not_shown(client, runtime, monkeypatch, host):
    monkeypatch.setattr(runtime.settings, "public_url", None)
    response, text = await read(client, "/docs/orders/", headers={"Host": host})

    if response.status_code == 200:
        assert f"{runtime.settings.site_url}/api/v1/restaurants/1/orders" in text
    assert response.status_code < 500
    assert "<b>" not in text


async def test_people_who_are_signed_in_are_told_where_tokens_are_made(client):
    _, text = await read(client, "/docs/orders/")
    assert "/dashboard/tokens" not in text

    _, text = await read(client, "/docs/orders/", headers={"Cookie": "comanda_session=some"})
    assert 'href="/dashboard/tokens"' in text


async def test_search_answers_without_a_script(client):
    response, text = await read(client, "/docs/search?q=place+an+order")

    assert response.status_code == 200
    assert 'href="/docs/orders/#place-order"' in text
    assert 'value="place an order"' in text


@pytest.mark.parametrize("query", ["", "<script>alert(1)</script>", "%00", "a" * 5_000, "%F0%9F%8D%95"])
async def test_search_bears_every_query(client, query):
    response, text = await read(client, f"/docs/search?q={query}")

    assert response.status_code == 200
    assert "<script>alert" not in text


async def test_the_index_of_the_search_is_small_and_kept(client):
    response = await client.get("/docs/search.json", headers={"Accept-Encoding": "gzip"})
    entries = json.loads(gzip.decompress(await response.get_data()))["entries"]

    assert response.mimetype == "application/json"
    assert [
        "operation",
        "Place an order",
        "Orders",
        "/docs/orders/#place-order",
        "POST",
        "/api/v1/restaurants/{id}/orders",
    ] in entries
    assert len(await response.get_data()) < 30_000
    again = await client.get("/docs/search.json", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


async def test_pages_that_are_kept_are_bounded(client):
    for name in SECTIONS:
        for language in ("en", "de", "fr"):
            await client.get(f"/docs/{name}/", headers={"Accept-Language": language})

    assert 0 < served_pages.get_documentation().cache.size <= served_pages.MAX_CACHED_BYTES
