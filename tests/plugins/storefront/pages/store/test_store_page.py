"""The rendering and caching of a store's page."""

import asyncio
import gzip
import json
import re

from comanda_storefront.pages.store import store_page


async def test_menu_of_200_items_is_one_small_response(store, get_page, parse_outline):
    category_id = await store.category("Everything")
    for number in range(200):
        body = {
            "name": f"Dish {number}",
            "price": 5 + number / 4,
            "category_id": category_id,
            "description": f"Number {number} with {number * 7919 % 1000} grains of {number * 104729 % 9973:x}.",
            "extra_groups": [{"name": f"Sides {number}", "extras": [{"name": f"Side {number}", "price": 1}]}],
        }
        assert (await store.send("POST", "/menu/items", body)).status == 201

    response = await get_page(store, Accept_Encoding="gzip, br")

    sent = await response.get_data()
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(sent) <= 100_000
    page = parse_outline(gzip.decompress(sent).decode())
    assert len([each for each in page.all("li") if "data-item" in each]) == 200


async def test_page_loads_nothing_from_other_hosts(store, get_page_outline):
    await store.item("Soup", image_url="https://photos.example/soup.jpg")
    await store.item("Bread", image_url="http://comanda.test/bread.jpg")

    page = await get_page_outline(store)

    sources = [
        value
        for _, each in page.tags
        for name in ("src", "href", "action")
        if (value := each.get(name)) and each.get("rel") != "canonical"
    ]
    assert [each for each in sources if "//" in each] == ["http://comanda.test/bread.jpg"]
    assert [each["data-src"] for each in page.all("img") if "data-src" in each] == ["https://photos.example/soup.jpg"]


async def test_policy_allows_only_hosts_of_photos(store, get_page, get_page_outline):
    await store.item("Soup", image_url="https://photos.example/soup.jpg")
    await store.item("Trick", image_url="https://x.example;script-src/y'unsafe-inline'.jpg")

    policy = (await get_page(store)).headers["Content-Security-Policy"]

    # The hash is that of the theme's settings as variables of CSS.
    assert re.sub(r" 'sha256-[\w+/]+='", "", policy) == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        "font-src 'self'; img-src 'self' data: http://comanda.test https://photos.example; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    page = await get_page_outline(store)
    assert [each.get("type") for each in page.all("script")] == ["module", "application/ld+json", "application/json"]
    assert not [each for _, each in page.tags if "style" in each or any(name.startswith("on") for name in each)]


async def test_error_page_leads_back_to_the_store(store, get_slug):
    slug = await get_slug(store)

    for path, href in ((f"/s/{slug}/nothing", f"/s/{slug}"), ("/s/nowhere/nothing", "/"), ("/s/%00/nothing", "/")):
        response = await store.client.get(path)

        assert response.status_code == 404
        assert f'<a class="button" href="{href}">' in await response.get_data(as_text=True)


async def test_single_variant_is_no_choice(store, get_page_text):
    await store.item("Oil", 9, variations=[{"name": "5 l", "price": 12}])
    await store.item("Pads", 9, variations=[{"name": "Front", "price": 12}, {"name": "Rear", "price": 11}])

    text = await get_page_text(store)

    start = text.index(">", text.index('id="shop-data"')) + 1
    oil, pads = json.loads(text[start : text.index("</script>", start)])["items"]
    assert (oil["details"], oil["price"], "choices" in oil) == ("5 l", 1200, False)
    assert isinstance(oil["variation"], int)
    assert (pads["choices"], pads["price"], "variation" in pads) == (True, 1100, False)
    assert 'aria-label="Add Oil"' in text
    assert "5 l" in text


async def test_page_is_rendered_again_only_after_changes(store, monkeypatch, get_page_text, update_settings):
    await store.item("Soup")
    drawn = []
    draw = store_page._render
    monkeypatch.setattr(store_page, "_render", lambda *given: drawn.append(1) or draw(*given))

    for _ in range(3):
        await get_page_text(store)
    await update_settings(store, phone="+351 1")

    assert "+351 1" in await get_page_text(store)
    assert len(drawn) == 2


async def test_page_is_rendered_once_for_all_who_wait(store, monkeypatch, get_page_text):
    await store.item("Soup")
    drawn = []
    draw = store_page._render
    monkeypatch.setattr(store_page, "_render", lambda *given: drawn.append(1) or draw(*given))

    pages = await asyncio.gather(*(get_page_text(store) for _ in range(8)))

    assert [page for page in pages if "Soup" not in page] == []
    assert drawn == [1]


async def test_page_is_rendered_again_when_last_piece_sells(open_store, monkeypatch, get_page_text):
    shop = await open_store("pharmacy")
    plaster = await shop.item("Plaster", 3, stock=2)
    line = {"item_id": plaster["id"]}
    drawn = []
    draw = store_page._render
    monkeypatch.setattr(store_page, "_render", lambda *given: drawn.append(1) or draw(*given))

    for pieces, pages in ((2, 1), (1, 1), (0, 2)):
        assert ("Plaster" in await get_page_text(shop)) is (pieces > 0)
        assert len(drawn) == pages
        if pieces:
            await shop.order(line, type="in_store")
