"""The responses of the pages."""

import pytest
from comanda.platform.db import sql


async def test_current_copy_returns_304(store, get_page):
    await store.item("Soup")
    first = await get_page(store)

    again = await get_page(store, If_None_Match=first.headers["ETag"], Accept_Encoding="gzip")
    await store.item("Bread")
    later = await get_page(store, If_None_Match=first.headers["ETag"])

    assert (again.status_code, await again.get_data()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (later.status_code, "Bread" in (await later.get_data()).decode()) == (200, True)
    assert first.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"


async def test_static_files_are_revalidated(client):
    for name in ("shop.js", "track.js", "storefront.css"):
        response = await client.get(f"/storefront/static/{name}")
        again = await client.get(f"/storefront/static/{name}", headers={"If-None-Match": response.headers["ETag"]})
        assert (response.status_code, again.status_code) == (200, 304)
        assert response.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("slug", ["nothing", "%00", "a" * 5000, "%ff", "%F0%9F%92%A9", "..%2f", "'"])
async def test_unknown_slug_returns_404(client, slug):
    response = await client.get(f"/s/{slug}")

    assert response.status_code == 404
    assert response.mimetype == "text/html"


async def test_hidden_or_suspended_store_returns_404(store, get_page, update_settings):
    await update_settings(store, is_published=False)
    assert (await get_page(store)).status_code == 404

    await update_settings(store, is_published=True)
    assert (await get_page(store)).status_code == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)
    assert (await get_page(store)).status_code == 404
