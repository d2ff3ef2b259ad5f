"""The logo and the cover of a store on the pages of its guests."""

from base64 import b64encode

import pytest
from photographs import picture


@pytest.fixture
async def pictures(store):
    """Set a logo and a cover of the store, and return their addresses."""
    for kind, colour in (("logo", "red"), ("cover", "blue")):
        body = {"image_base64": b64encode(picture(colour=colour)).decode()}
        assert (await store.send("POST", f"/pictures/{kind}", body)).status == 201
    settings = (await store.get("/settings")).document
    return settings["logo_url"], settings["cover_url"]


async def get_manifest(store, slug):
    response = await store.client.get(f"/s/{slug}/manifest.webmanifest")
    return response.status_code, await response.get_json(force=True) if response.status_code == 200 else None


async def test_the_page_shows_the_logo_and_the_cover_of_the_store(store, pictures, get_page_outline):
    logo, cover = pictures

    page = await get_page_outline(store)

    small = logo.replace("-1280.webp", "-320.webp")
    sources = {each.get("class"): each["src"] for each in page.all("img")}
    links = {each["rel"]: each["href"] for each in page.all("link")}
    previews = {each.get("property"): each.get("content") for each in page.all("meta")}
    assert (sources["logo"], sources["hero-image"]) == (small, cover)
    assert (links["icon"], links["apple-touch-icon"]) == (small, small)
    assert previews["og:image"] == cover


async def test_a_page_shows_a_new_logo_at_once(store, pictures, get_page_outline):
    await get_page_outline(store)
    await store.send("DELETE", "/pictures/logo")

    page = await get_page_outline(store)

    assert "logo" not in {each.get("class") for each in page.all("img")}
    assert {each["rel"]: each["href"] for each in page.all("link")}["icon"].endswith(".svg")


async def test_the_manifest_has_the_name_and_the_logo(store, pictures):
    slug = (await store.get())["slug"]

    status, manifest = await get_manifest(store, slug)

    assert status == 200
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == (
        (await store.get())["title"], f"/s/{slug}", f"/s/{slug}"
    )  # fmt: skip
    assert manifest["icons"][0]["src"] == pictures[0]
    assert [icon["sizes"] for icon in manifest["icons"][1:]] == ["192x192", "512x512", "512x512"]


async def test_an_unpublished_store_has_no_manifest(store):
    slug = (await store.get())["slug"]
    await store.send("PUT", "/settings", {"is_published": False})

    assert await get_manifest(store, slug) == (404, None)


async def test_the_page_of_an_order_shows_the_logo(store, pictures):
    item = await store.item("Soup")
    order = await store.order({"item_id": item["id"], "quantity": 1})

    page = await store.client.get(f"/t/{order['track_token']}")

    assert pictures[0].replace("-1280.webp", "-320.webp") in await page.get_data(as_text=True)
