"""What pages of staff share: their login, and the lookup of stores."""

from comanda.platform.db import sql


async def test_login_files_are_revalidated(client):
    for name in ("login.js", "enrolment.js", "login.css"):
        file = await client.get(f"/staff-pages/static/{name}")
        assert (file.status_code, file.headers["Cache-Control"]) == (200, "no-cache")


async def test_store_is_found_by_slug_and_id(client, store):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)

    for address in (slug, f" {slug.upper()} ", str(store.id)):
        found = await client.get("/staff-pages/store", query_string={"address": address})
        assert (await found.get_json())["id"] == store.id


async def test_unknown_and_suspended_stores_are_missing(client, store):
    for address in ("", "nobody", "9" * 18, "9" * 40, "a" * 200, "\x00", "%00", "\u0660"):
        found = await client.get("/staff-pages/store", query_string={"address": address})
        assert found.status_code == 404, address
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)

    assert (await client.get("/staff-pages/store", query_string={"address": str(store.id)})).status_code == 404


async def test_unpublished_store_is_found_by_slug_only(client, store):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
    await sql.execute("UPDATE core_store SET is_published = false WHERE id = $1", store.id)

    by_id = await client.get("/staff-pages/store", query_string={"address": str(store.id)})
    by_slug = await client.get("/staff-pages/store", query_string={"address": slug})

    assert (by_id.status_code, by_slug.status_code) == (404, 200)
