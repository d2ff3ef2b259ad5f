"""The legal texts of a store, as pages with links at the end of the store's."""

import pytest
from comanda.platform.db import sql

TEXTS = {"imprint": "Alba Lda.\nRua Nova 7\n\nalba@example.com", "terms": "  \n ", "privacy": "<b>We</b> keep orders."}


@pytest.fixture
async def slug(store):
    """Write some texts, and return the slug of the store."""
    assert (await store.send("PUT", "/settings/legal", TEXTS)).status == 200
    return (await store.get())["slug"]


async def get_page(store, path):
    response = await store.client.get(path)
    return response.status_code, await response.get_data(as_text=True)


async def test_a_text_is_a_page_with_paragraphs(store, slug):
    status, page = await get_page(store, f"/s/{slug}/legal/imprint")

    assert status == 200
    assert '<p dir="auto">Alba Lda.<br>Rua Nova 7</p>' in page
    assert '<p dir="auto">alba@example.com</p>' in page
    assert "&lt;b&gt;We&lt;/b&gt;" in (await get_page(store, f"/s/{slug}/legal/privacy"))[1]


@pytest.mark.parametrize("name", ["terms", "withdrawal", "cookies", "__class__"])
async def test_a_text_that_is_not_written_has_no_page(store, slug, name):
    assert (await get_page(store, f"/s/{slug}/legal/{name}"))[0] == 404


async def test_the_stores_page_links_to_what_is_written_at_its_end(store, slug):
    await store.item("Soup")

    _, page = await get_page(store, f"/s/{slug}")
    await store.send("PUT", "/settings/legal", {**TEXTS, "imprint": "", "terms": "Cash only."})
    _, changed = await get_page(store, f"/s/{slug}")

    def list_linked(text):
        _, _, footer = text.rpartition("<footer")
        return [name for name in ("imprint", "terms", "privacy") if f'href="/s/{slug}/legal/{name}"' in footer]

    assert list_linked(page) == ["imprint", "privacy"]
    assert list_linked(changed) == ["terms", "privacy"]
    # They are no buttons below the store's name.
    assert page.count(f"/s/{slug}/legal/imprint") == 1


async def test_a_store_that_is_not_published_or_suspended_shows_no_text(store, slug, owner):
    await store.send("PUT", "/settings", {"is_published": False})
    hidden = await get_page(store, f"/s/{slug}/legal/imprint")
    await store.send("PUT", "/settings", {"is_published": True})
    shown = await get_page(store, f"/s/{slug}/legal/imprint")
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    suspended = await get_page(store, f"/s/{slug}/legal/imprint")

    assert [status for status, _ in (hidden, shown, suspended)] == [404, 200, 404]


async def test_a_text_has_a_limit(store):
    reply = await store.send("PUT", "/settings/legal", {"terms": "x" * 30_001})

    assert list(reply.errors) == ["terms"]
    assert (await store.send("PUT", "/settings/legal", {"terms": "x" * 30_000})).status == 200
