"""robots.txt and the sitemap."""

import re

import pytest
from comanda.platform.db import sql
from comanda.web import store_directory

HIDE = "UPDATE core_store SET is_published = false WHERE id = $1 AND owner_id = $2"


async def read(client, path):
    response = await client.get(path)
    return response.status_code, re.findall("<loc>(.*?)</loc>", await response.get_data(as_text=True))


async def test_published_stores_are_in_the_sitemap(store, client):
    slug = await sql.fetch_value(
        "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", store.id, store.owner.id
    )

    _, (part, *_) = await read(client, "/sitemap.xml")
    _, urls = await read(client, part.removeprefix("http://comanda.test"))
    assert urls[0] == "http://comanda.test/"
    assert f"http://comanda.test/s/{slug}" in urls

    await sql.execute(HIDE, store.id, store.owner.id)
    _, urls = await read(client, part.removeprefix("http://comanda.test"))
    assert f"http://comanda.test/s/{slug}" not in urls


async def test_the_sitemap_has_as_many_parts_as_it_needs(store, client, monkeypatch):
    monkeypatch.setattr(store_directory, "MAX_SITEMAP_URLS", 1)
    await store.owner.store()

    _, parts = await read(client, "/sitemap.xml")
    assert len(parts) == await store_directory.count_sitemap_parts() >= 2
    assert len((await read(client, "/sitemap-1.xml"))[1]) == 1


@pytest.mark.parametrize("part", ["987", "1001", "99999999999999999999"])
async def test_a_part_that_does_not_exist_is_404(client, part):
    assert (await read(client, f"/sitemap-{part}.xml"))[0] == 404


async def test_robots_keep_out_of_private_pages(client):
    text = await (await client.get("/robots.txt")).get_data(as_text=True)

    for path in ("/dashboard", "/account", "/t/", "/pay/"):
        assert f"Disallow: {path}\n" in text
    assert "Sitemap: http://comanda.test/sitemap.xml\n" in text
