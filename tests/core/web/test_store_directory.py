"""The public list of stores, on the start page."""

import re

import orjson
import pytest
from comanda.platform.db import sql
from comanda.web import store_directory
from photographs import FORM, form, picture

HOURS = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}
UPDATE_STORE = "UPDATE core_store SET title = $3, address = $4 WHERE id = $1 AND owner_id = $2"
CLOSE = "UPDATE core_store SET hours = $3::jsonb WHERE id = $1 AND owner_id = $2"


@pytest.fixture
async def bakery(store):
    await sql.execute(UPDATE_STORE, store.id, store.owner.id, "Zímbra & <Söhne>", f"Rua Nova N{store.id}, Évora")
    return store


async def show(client, query):
    response = await client.get(f"/{query}")
    return response.status_code, await response.get_data(as_text=True)


async def list_titles(search):
    return [card.title for card in (await store_directory.list_stores(search, 1)).stores]


async def test_a_store_is_listed_with_its_type_place_and_page(bakery, client):
    _, text = await show(client, f"?q=n{bakery.id}")

    slug = await sql.fetch_value(
        "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", bakery.id, bakery.owner.id
    )
    assert f'<h3 dir="auto"><a href="http://comanda.test/s/{slug}">Zímbra &amp; &lt;Söhne&gt;</a></h3>' in text
    assert "Évora</bdi>" in text
    assert '<span aria-hidden="true">Z</span>' in text


@pytest.mark.parametrize("search", ["zimbra", "ZÍM", "evora nova", "söhne"])
async def test_stores_are_found_by_words_of_title_and_address(bakery, search):
    assert "Zímbra & <Söhne>" in await list_titles(f"{search} n{bakery.id}")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE core_store SET is_published = false WHERE id = $1 AND owner_id = $2",
        "UPDATE core_store SET is_listed = false WHERE id = $1 AND owner_id = $2",
        "UPDATE core_owner SET is_suspended = true WHERE id = $2 AND $1::bigint > 0",
    ],
)
async def test_stores_that_are_not_public_are_absent(bakery, client, change):
    assert await list_titles(f"n{bakery.id}") == ["Zímbra & <Söhne>"]
    await sql.execute(change, bakery.id, bakery.owner.id)

    assert await list_titles(f"n{bakery.id}") == []
    status, text = await show(client, f"?q=n{bakery.id}")
    assert (status, "Zímbra" in text) == (200, False)
    assert "No store found" in text


async def test_a_card_shows_whether_the_store_is_open(bakery, client):
    assert "badge good" in (await show(client, f"?q=n{bakery.id}"))[1]
    await sql.execute(CLOSE, bakery.id, bakery.owner.id, orjson.dumps({**HOURS, "exceptions": []}).decode())

    assert '<span class="badge">Closed</span>' in (await show(client, f"?q=n{bakery.id}"))[1]


async def test_a_card_shows_a_photo_of_the_menu_in_widths_of_its_own_host(bakery, client):
    item = await bakery.item("Bread")
    path = f"/api/v1/restaurants/{bakery.id}/menu/items/{item['id']}/photos"
    raw = picture(size=(800, 600))
    await client.post(path, headers={**bakery.owner.auth, **FORM}, data=form(("photo", "x.jpg", raw)))

    _, text = await show(client, f"?q=n{bakery.id}")

    found = re.search(r'<img src="(http://comanda.test/photos/[^"]+-320.webp)" srcset="([^"]+)"', text)
    assert re.findall(r" ([0-9]+)w", found[2]) == ["160", "320", "640"]
    assert (await client.get(found[1].removeprefix("http://comanda.test"))).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["?page=0", "?page=-1", "?page=x", "?page=99999999999999", "?page=%D9%A3", "?q=%00", "?q=%27%29%3B--",
     "?q=%EF%BF%BF", "?q=" + "a+" * 400, "?q=%5C&page=900", "?q=!!"],
)  # fmt: skip
async def test_odd_queries_are_answered(client, query):
    assert (await show(client, query))[0] == 200


async def test_pages_follow_each_other(bakery, client, monkeypatch):
    monkeypatch.setattr(store_directory, "STORES_PER_PAGE", 1)
    other = await bakery.owner.store()
    await sql.execute(UPDATE_STORE, other, bakery.owner.id, "Zimbra Two", f"N{bakery.id}")

    first, second = [await store_directory.list_stores(f"n{bakery.id}", page) for page in (1, 2)]
    assert ([card.title for card in first.stores], first.has_next) == (["Zimbra Two"], True)
    assert ([card.title for card in second.stores], second.has_next) == (["Zímbra & <Söhne>"], False)
    _, text = await show(client, f"?q=n{bakery.id}&page=2")
    assert f'rel="prev" href="/?q=n{bakery.id}"' in text
    assert 'rel="next"' not in text
