"""Drafts of settings, and previews."""

import orjson
from comanda_themes.services.published_themes import find_preview

INDEX = {"order": ["a"], "items": {"a": {"type": "hero", "settings": {"heading": "Olá"}, "blocks": []}}}


def data(**changes):
    return {"settings": {}, "sections": {"index": INDEX}, **changes}


async def save(shop, theme_id, document, revision=0):
    return await shop.send("PUT", f"/themes/{theme_id}/draft", {"revision": revision, "settings_data": document})


async def test_a_draft_becomes_a_version(shop):
    theme_id = await shop.theme()
    saved = await save(shop, theme_id, data())
    assert (saved["revision"], saved["number"]) == (1, 1)

    version = await shop.send("POST", f"/themes/{theme_id}/draft/version", {"revision": 1, "note": "Greeting"})

    assert (version["number"], version["note"]) == (2, "Greeting")
    assert version["changes"]["changed"] == ["config/settings_data.json"]
    draft = await shop.get(f"/themes/{theme_id}/draft")
    assert (draft["revision"], draft["number"]) == (0, 2)
    assert draft["settings_data"]["sections"]["index"] == INDEX


async def test_a_stale_draft_is_not_overwritten(shop):
    theme_id = await shop.theme()
    await save(shop, theme_id, data())

    reply = await save(shop, theme_id, data(sections={}))

    assert (reply.status, reply["reason"]) == (409, "stale")
    assert (await shop.get(f"/themes/{theme_id}/draft"))["settings_data"]["sections"]["index"] == INDEX


BAD = {
    "settings.corner_radius": data(settings={"corner_radius": 99}),
    "settings.accent": data(settings={"accent": "red"}),
    "settings.nothing": data(settings={"nothing": 1}),
    "sections.index.order": data(sections={"index": {"order": ["b"], "items": INDEX["items"]}}),
    "sections.index.items.a.type": data(
        sections={"index": {"order": ["a"], "items": {"a": {"type": "nothing", "settings": {}, "blocks": []}}}}
    ),
    "sections.menu.items.a.type": data(sections={"menu": INDEX}),
    "sections.index.items.a.settings.shows_status": data(
        sections={"index": {"order": ["a"], "items": {"a": {"type": "hero", "settings": {"shows_status": "x"}}}}}
    ),
}


async def test_values_must_fit_their_schema(shop, subtests):
    theme_id = await shop.theme()

    for path, values in BAD.items():
        with subtests.test(path=path):
            reply = await save(shop, theme_id, values)

            assert (reply.status, list(reply["errors"])) == (422, [f"settings_data.{path}"])
            assert (await shop.get(f"/themes/{theme_id}/draft"))["revision"] == 0


async def test_a_preview_shows_the_draft_until_it_expires(shop, clock):
    theme_id = await shop.theme()
    await save(shop, theme_id, data())
    preview = await shop.send("POST", f"/themes/{theme_id}/previews", {})
    owner_id, token = shop.owner.id, preview["token"]
    assert preview["url"].endswith(f"?preview={token}")

    found = await find_preview(owner_id, shop.id, token)

    assert orjson.loads(found.texts["config/settings_data.json"])["sections"]["index"] == INDEX
    assert not found.is_trusted
    assert await find_preview(owner_id, shop.id + 1, token) is None
    assert await find_preview(owner_id + 1, shop.id, token) is None
    assert await find_preview(owner_id, shop.id, token[:-1] + ("0" if token[-1] != "0" else "1")) is None
    clock.advance(hours=3)
    assert await find_preview(owner_id, shop.id, token) is None


async def test_settings_leave_the_addresses_of_assets(shop):
    theme_id = await shop.theme()
    before = await shop.send("POST", f"/themes/{theme_id}/previews", {"number": 1})
    await save(shop, theme_id, data())
    after = await shop.send("POST", f"/themes/{theme_id}/previews", {})

    first, second = [await find_preview(shop.owner.id, shop.id, one["token"]) for one in (before, after)]

    assert first.key != second.key
    assert first.assets_path == second.assets_path


async def test_assets_are_served(shop, files):
    files["assets/app.js"], files["assets/mark.svg"] = "alert(1)", "<svg xmlns='http://www.w3.org/2000/svg'/>"
    _, theme = await shop.upload(files)
    token = (await shop.send("POST", f"/themes/{theme['id']}/previews", {"number": 1}))["token"]
    path = (await find_preview(shop.owner.id, shop.id, token)).assets_path

    found = {name: await shop.client.get(f"{path}/{name}") for name in ("theme.css", "paper.png", "mark.svg", "app.js")}

    assert {name: response.status_code for name, response in found.items()} == {
        "theme.css": 200, "paper.png": 200, "mark.svg": 200, "app.js": 404,
    }  # fmt: skip
    assert await found["paper.png"].get_data() == files["assets/paper.png"]
    assert found["mark.svg"].content_type.startswith("image/svg+xml")
    assert "sandbox" in found["mark.svg"].headers["Content-Security-Policy"]
    assert found["theme.css"].headers["X-Content-Type-Options"] == "nosniff"
    assert (await shop.client.get(f"{path[:-1]}x/theme.css")).status_code == 404
