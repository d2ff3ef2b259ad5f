"""The kitchen screen's page, and the stores that addresses stand for."""

from comanda.db import sql


async def test_the_screen_loads_nothing_that_it_did_not_ship(client):
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


async def test_a_store_is_found_by_its_address_and_by_its_number(client, kitchen):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", kitchen.id)

    for address in (slug, f" {slug.upper()} ", str(kitchen.id)):
        found = await client.get("/kitchen/store", query_string={"address": address})
        assert (await found.get_json())["id"] == kitchen.id


async def test_what_is_no_store_or_a_suspended_owners_is_missing(client, kitchen):
    for address in ("", "nobody", "0", "9" * 18, "9" * 40, "a" * 200, "\x00", "%00", "\u0660"):
        found = await client.get("/kitchen/store", query_string={"address": address})
        assert found.status_code == 404, address
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", kitchen.owner.id)

    assert (await client.get("/kitchen/store", query_string={"address": str(kitchen.id)})).status_code == 404


async def test_an_unpublished_store_is_found_by_its_address_alone(client, kitchen):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", kitchen.id)
    await sql.execute("UPDATE core_store SET is_published = false WHERE id = $1", kitchen.id)

    by_id = await client.get("/kitchen/store", query_string={"address": str(kitchen.id)})
    by_slug = await client.get("/kitchen/store", query_string={"address": slug})

    assert (by_id.status_code, by_slug.status_code) == (404, 200)
