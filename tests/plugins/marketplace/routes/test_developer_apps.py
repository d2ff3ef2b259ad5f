"""Apps over the API, as developers manage them."""

from base64 import b64encode

from comanda.platform.db import sql
from comanda_marketplace import settings
from comanda_oauth import api as oauth
from photographs import picture


async def test_registered_app_shows_its_secrets_once(developer):
    app = await developer.register(webhook_url="https://93.184.215.14/hook", webhook_events=["order.*"])

    assert app["status"] == "draft"
    assert app["webhook_secret"].startswith("whsec_")
    assert len(app["client_secret"]) >= 32
    read = await developer.get(app)
    assert read == {name: value for name, value in app.items() if name not in {"client_secret", "webhook_secret"}}
    listed = await developer.send("GET", "/developer/apps")
    assert listed["data"] == [read]
    row = await sql.fetch_one("SELECT * FROM marketplace_app WHERE id = $1", app["id"])
    assert app["webhook_secret"] not in str(dict(row))


INVALID_APPS = [
    ({"redirect_uris": []}, "redirect_uris"),
    ({"redirect_uris": ["http://loyalty.example.com/callback"]}, "redirect_uris"),
    ({"scopes": ["everything"]}, "scopes"),
    ({"name": " "}, "name"),
    ({"category": "gambling"}, "category"),
    ({"embed_url": "http://loyalty.example.com/"}, "embed_url"),
    ({"embed_url": "https://user@loyalty.example.com/"}, "embed_url"),
    ({"embed_url": "javascript:alert(1)"}, "embed_url"),
    ({"embed_url": "https://a.example.com;sandbox/"}, "embed_url"),
    ({"embed_url": "https://a.example.com,b/"}, "embed_url"),
    ({"embed_url": "https://*.example.com/"}, "embed_url"),
    ({"embed_url": "https://a.localhost./"}, "embed_url"),
    ({"links": {"website": "http://loyalty.example.com"}}, "links.website"),
    ({"links": {"website": "https://intranet"}}, "links.website"),
    ({"links": {"blog": "https://loyalty.example.com"}}, "links.blog"),
    ({"webhook_url": "https://10.0.0.8/hook"}, "webhook_url"),
    ({"webhook_events": ["order.eaten"]}, "webhook_events"),
    ({"billing": "free", "price": 1}, "price"),
    ({"billing": "usage"}, "price"),
    ({"billing": "usage", "price": -1}, "price"),
    ({"billing": "usage", "price": 0.0000001}, "price"),
    ({"billing": "recurring", "price": 9.999}, "price"),
    ({"period_days": 0}, "period_days"),
    ({"contact_email": "nobody"}, "contact_email"),
]


async def test_invalid_field_is_named_and_nothing_is_registered(developer, subtests):
    for fields, field in INVALID_APPS:
        with subtests.test(fields=fields, field=field):
            body = {"name": "App", "redirect_uris": ["https://a.example.com/cb"], **fields}

            reply = await developer.send("POST", "/developer/apps", body)

            assert reply.status == 422, reply
            assert any(name.startswith(field) for name in reply.errors), reply.errors
            for table in ("marketplace_app", "oauth_client"):
                assert (
                    await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", developer.owner.id) == 0
                )


async def test_apps_of_other_developers_are_not_listed(developer, other_developer):
    await developer.publish()

    assert (await other_developer.send("GET", "/developer/apps"))["data"] == []


async def test_token_without_the_scope_is_refused(developer):
    app = await developer.register()
    reader = await developer.owner.token_with("apps:read")

    assert (await developer.send("GET", f"/developer/apps/{app['id']}", auth=reader)).status == 200
    refused = await developer.send("DELETE", f"/developer/apps/{app['id']}", auth=reader)
    assert (refused.status, refused["required"]) == (403, "apps:write")
    other = await developer.owner.token_with("orders:write")
    assert (await developer.send("GET", "/developer/apps", auth=other)).status == 403
    assert (await developer.get(app))["id"] == app["id"]


async def test_change_keeps_omitted_fields_and_null_clears_addresses(developer):
    app = await developer.register(embed_url="https://a.example.com/app", contact_email="dev@example.com")

    reply = await developer.send("PATCH", f"/developer/apps/{app['id']}", {"name": None, "embed_url": None})

    assert (reply["name"], reply["embed_url"]) == (app["name"], None)
    assert reply["contact_email"] == "dev@example.com"


async def test_name_and_redirects_reach_the_oauth_client(developer, read_app):
    app = await developer.register()
    changes = {"name": "Stamps", "redirect_uris": ["https://stamps.example.com/cb"]}

    await developer.send("PATCH", f"/developer/apps/{app['id']}", changes)

    client = await oauth.get_client(developer.owner.id, (await read_app(app))["client_row_id"])
    assert (client.name, list(client.redirect_uris)) == ("Stamps", changes["redirect_uris"])


async def test_rotated_client_secret_is_new(developer):
    app = await developer.register()

    reply = await developer.send("POST", f"/developer/apps/{app['id']}/rotate-secret")

    assert reply.status == 200
    assert reply["secret"] not in {app["client_secret"], ""}
    assert "secret" not in await developer.get(app)


async def test_unused_app_is_deleted_with_its_client(developer, read_app):
    app = await developer.register()
    client_row_id = (await read_app(app))["client_row_id"]

    assert (await developer.send("DELETE", f"/developer/apps/{app['id']}")).status == 204

    assert (await developer.send("GET", f"/developer/apps/{app['id']}")).status == 404
    assert await sql.fetch_value("SELECT deleted_at IS NOT NULL FROM oauth_client WHERE id = $1", client_row_id)


async def test_screenshot_is_public_until_it_is_deleted(developer, client):
    app = await developer.publish()
    path = f"/developer/apps/{app['id']}/screenshots"
    body = {"image_base64": b64encode(picture()).decode(), "alt": "The stamp card"}

    made = await developer.send("POST", path, body)
    again = await developer.send("POST", path, body)

    assert made.status == 201
    assert again["id"] == made["id"]
    assert [shot["id"] for shot in (await developer.get(app))["screenshots"]] == [made["id"]]
    url = made["url"].removeprefix("http://comanda.test")
    file = await client.get(url)
    assert (file.status_code, file.content_type) == (200, "image/webp")
    assert (await client.get(url, headers={"If-None-Match": file.headers["ETag"]})).status_code == 304
    assert (await developer.send("DELETE", f"{path}/{made['id']}")).status == 204
    assert (await client.get(url)).status_code == 404


async def test_broken_picture_is_refused(developer):
    app = await developer.register()

    reply = await developer.send("POST", f"/developer/apps/{app['id']}/screenshots", {"image_base64": "AAAA"})

    assert list(reply.errors) == ["image_base64"]
    assert (await developer.get(app))["screenshots"] == []


async def test_apps_are_limited(developer, monkeypatch):
    monkeypatch.setattr(settings.get_settings(), "max_apps", 1)
    await developer.register()

    reply = await developer.send("POST", "/developer/apps", {"name": "B", "redirect_uris": ["https://a.example.com/c"]})

    assert (reply.status, reply["limits"]) == (409, {"apps": 1})
