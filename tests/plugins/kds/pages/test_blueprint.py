"""The page of the kitchen screen, and the lookup of stores."""

from comanda.db import sql


async def test_page_loads_own_files_only(client):
    page = await client.get("/kitchen/")

    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    text = await page.get_data(as_text=True)
    assert "style=" not in text
    assert "http://" not in text.replace("http://comanda.test", "")
    for name in (
        "kitchen.css",
        "kitchen.js",
        "api.js",
        "feed.js",
        "drawing.js",
        "enrolment.js",
        "login.js",
        "sound.js",
    ):
        file = await client.get(f"/kitchen/static/{name}")
        assert (file.status_code, file.headers["Cache-Control"]) == (200, "no-cache")


async def test_store_is_found_by_slug_and_id(client, kitchen):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", kitchen.id)

    for address in (slug, f" {slug.upper()} ", str(kitchen.id)):
        found = await client.get("/kitchen/store", query_string={"address": address})
        assert (await found.get_json())["id"] == kitchen.id


async def test_unknown_and_suspended_stores_are_missing(client, kitchen):
    for address in ("", "nobody", "9" * 18, "9" * 40, "a" * 200, "\x00", "%00", "\u0660"):
        found = await client.get("/kitchen/store", query_string={"address": address})
        assert found.status_code == 404, address
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", kitchen.owner.id)

    assert (await client.get("/kitchen/store", query_string={"address": str(kitchen.id)})).status_code == 404


async def test_unpublished_store_is_found_by_slug_only(client, kitchen):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", kitchen.id)
    await sql.execute("UPDATE core_store SET is_published = false WHERE id = $1", kitchen.id)

    by_id = await client.get("/kitchen/store", query_string={"address": str(kitchen.id)})
    by_slug = await client.get("/kitchen/store", query_string={"address": slug})

    assert (by_id.status_code, by_slug.status_code) == (404, 200)
