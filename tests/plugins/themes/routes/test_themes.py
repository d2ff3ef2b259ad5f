"""Themes of a store: uploaded, versioned, published, rolled back, downloaded and deleted."""

import io
import zipfile

from comanda.platform.db import sql


async def template_of(shop):
    return await sql.fetch_value("SELECT template FROM core_store WHERE id = $1", shop.id)


async def count_contents(shop):
    return await sql.fetch_value("SELECT count(*) FROM themes_content WHERE owner_id = $1", shop.owner.id)


async def test_an_archive_becomes_a_theme(shop, files):
    status, theme = await shop.upload(files)

    assert status == 201
    assert (theme["name"], theme["handle"], theme["latest_number"], theme["published_number"]) == (
        "Summer", "summer", 1, None,
    )  # fmt: skip
    version = (await shop.get(f"/themes/{theme['id']}/versions/1")).document
    assert version["paths"] == sorted(files)
    assert version["changes"] == {"added": sorted(files), "changed": [], "removed": []}
    assert version["author_kind"] == "owner"
    assert await template_of(shop) == "default"


async def test_errors_are_refused_with_their_lines(shop, files):
    files["templates/menu.liquid"] = "<p>\n{{ menu.nothing }}\n</p>"

    status, refusal = await shop.upload(files)

    assert status == 422
    assert refusal["reason"] == "theme_errors"
    assert "templates/menu.liquid:2" in refusal["errors"]
    assert ("templates/menu.liquid", 2, "unknown_property") in [
        (one["file"], one["line"], one["rule"]) for one in refusal["findings"]
    ]
    assert (await shop.get("/themes")).document == []
    assert await count_contents(shop) == 0


async def test_warnings_are_kept(shop, files):
    files["assets/app.js"] = "alert(1)"

    _, theme = await shop.upload(files)

    version = (await shop.get(f"/themes/{theme['id']}/versions/1")).document
    assert [(one["file"], one["rule"]) for one in version["findings"] if one["rule"] == "script_blocked"] == [
        ("assets/app.js", "script_blocked")
    ]


async def test_publish_and_roll_back(shop, files):
    _, theme = await shop.upload(files)
    files["assets/theme.css"] = "body { color: #444 }"
    status, second = await shop.upload(files, f"/themes/{theme['id']}/versions?note=Greyer")
    assert (status, second["number"], second["changes"]["changed"]) == (201, 2, ["assets/theme.css"])

    published = await shop.publish(theme["id"], 2)
    assert (published["template"], published["number"]) == ("summer", 2)
    assert await template_of(shop) == "summer"
    back = await shop.publish(theme["id"], 1)

    assert back["number"] == 1
    live = await sql.fetch_one("SELECT version_id, key FROM themes_live_v1 WHERE store_id = $1", shop.id)
    expected = await sql.fetch_one(
        "SELECT id, key FROM themes_version WHERE owner_id = $1 AND number = 1", shop.owner.id
    )
    assert (live["version_id"], live["key"]) == (expected["id"], expected["key"])


async def test_the_default_theme_comes_back(shop):
    await shop.publish(await shop.theme())

    assert (await shop.send("DELETE", "/published-theme")).status == 204

    assert await template_of(shop) == "default"
    assert (await shop.get("/published-theme")).document == {
        "template": "default", "theme_id": None, "number": None, "published_at": None,
    }  # fmt: skip


async def test_the_published_theme_is_not_deleted(shop):
    theme_id = await shop.theme()
    await shop.publish(theme_id)

    assert (await shop.send("DELETE", f"/themes/{theme_id}")).status == 409

    assert [theme["id"] for theme in (await shop.get("/themes")).document] == [theme_id]


async def test_a_deleted_theme_leaves_no_contents(shop):
    theme_id = await shop.theme()
    assert await count_contents(shop) > 0

    assert (await shop.send("DELETE", f"/themes/{theme_id}")).status == 204

    assert await count_contents(shop) == 0


async def test_the_same_files_add_no_version(shop, files):
    _, theme = await shop.upload(files)

    status, version = await shop.upload(files, f"/themes/{theme['id']}/versions")

    assert (status, version["number"]) == (201, 1)


async def test_a_copy_has_a_free_name(shop):
    theme_id = await shop.theme()

    copies = [(await shop.send("POST", f"/themes/{theme_id}/duplicate")).document["name"] for _ in range(2)]

    assert copies == ["Summer 2", "Summer 3"]


async def test_a_name_is_used_once(shop):
    await shop.theme()

    reply = await shop.send("POST", "/themes", {"name": "Summer"})

    assert reply.status == 422
    assert list(reply["errors"]) == ["name"]


async def test_old_versions_are_deleted_except_the_published_one(shop, files):
    _, theme = await shop.upload(files)
    await shop.publish(theme["id"], 1)
    await sql.execute(
        """INSERT INTO themes_version (owner_id, theme_id, number, key, assets_key, files, size_bytes, note, findings,
                                       author_kind, author_id, created_at)
           SELECT owner_id, theme_id, n, key || n, assets_key, files, size_bytes, note, findings, author_kind,
                  author_id, created_at FROM themes_version, generate_series(2, 25) n WHERE owner_id = $1""",
        shop.owner.id,
    )
    files["assets/theme.css"] = "p { color: #444 }"

    await shop.upload(files, f"/themes/{theme['id']}/versions")

    versions = (await shop.get(f"/themes/{theme['id']}/versions")).document
    assert [version["number"] for version in versions] == [*range(26, 6, -1), 1]


async def test_the_archive_has_the_same_files(shop, files):
    _, theme = await shop.upload(files)

    path = f"/api/v1/restaurants/{shop.id}/themes/{theme['id']}/versions/1/archive"
    response = await shop.client.get(path, headers=shop.owner.auth)

    assert response.headers["Content-Disposition"] == 'attachment; filename="summer-1.zip"'
    with zipfile.ZipFile(io.BytesIO(await response.get_data())) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
