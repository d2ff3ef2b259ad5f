"""Apps of a developer in the dashboard."""

import re

import pytest
from comanda.db import sql
from comanda.devkit.testing.dashboard import sign_in
from comanda_marketplace.services import review

FIELDS = {
    "name": "Stamp Cards",
    "category": "loyalty",
    "tagline": "Stamps for regulars",
    "scopes": ["", "orders:read"],
    "redirect_uris": ["https://stamps.example.com/callback", ""],
    "embed_url": "",
    "webhook_url": "https://stamps.example.com/hooks",
    "webhook_events": ["", "order.created"],
    "links.website": "https://stamps.example.com",
    "links.support": "",
    "billing": "recurring",
    "price": "9",
    "period_days": "30",
    "trial_days": "14",
    "contact_email": "",
}


@pytest.fixture
async def dashboard(app, developer):
    return await sign_in(app, developer.owner.id)


async def register(dashboard, **fields):
    """Register an app; return its path and the page that shows its secrets."""
    page = await dashboard.post("/developer/apps/new", {**FIELDS, **fields}, status=200)
    return re.search(r"/dashboard(/developer/apps/\d+)\"", page)[1], page


async def test_an_app_is_registered_and_its_secrets_are_shown_once(dashboard, developer):
    path, page = await register(dashboard)

    [app] = (await developer.send("GET", "/developer/apps")).document["data"]
    assert (app["name"], app["scopes"], app["status"]) == ("Stamp Cards", ["orders:read"], "draft")
    assert (app["redirect_uris"], app["links"]) == (
        ["https://stamps.example.com/callback"],
        {"website": "https://stamps.example.com"},
    )
    assert (app["price"], app["period_days"], app["trial_days"]) == (9.0, 30, 14)
    assert app["client_id"] in page
    assert len(re.findall(r"data-copy=", page)) == 3
    shown = await dashboard.get(path)
    assert len(re.findall(r"data-copy=", shown)) == 1
    assert "Read orders and their status" in shown


async def test_a_wrong_address_is_named_and_the_rest_is_kept(dashboard):
    page = await dashboard.post(
        "/developer/apps/new", {**FIELDS, "redirect_uris": ["ftp://stamps.example.com"]}, status=422
    )

    assert 'value="ftp://stamps.example.com"' in page
    assert 'value="Stamp Cards"' in page
    assert 'class="problem"' in page


async def test_an_app_goes_through_review(dashboard, developer):
    path, _ = await register(dashboard)
    app_id = int(path.rpartition("/")[2])

    await dashboard.post(f"{path}/submit")
    assert "Waiting for review" in await dashboard.get("/developer/apps")
    await review.reject(app_id, "The support link is missing.")
    assert "The support link is missing." in await dashboard.get(path)
    await dashboard.post(
        f"{path}/edit", {**FIELDS, "name": "Stamps", "links.support": "https://stamps.example.com/help"}
    )
    await dashboard.post(f"{path}/submit")
    await review.approve(app_id)
    assert "See it in the directory" in await dashboard.get(path)
    await dashboard.post(f"{path}/withdraw")

    app = (await developer.send("GET", f"/developer/apps/{app_id}")).document
    assert (app["name"], app["status"], app["links"]["support"]) == (
        "Stamps",
        "draft",
        "https://stamps.example.com/help",
    )
    assert app["webhook_url"] == "https://stamps.example.com/hooks"


async def test_emptied_addresses_are_removed(dashboard, developer):
    path, _ = await register(dashboard, embed_url="https://stamps.example.com/embed", contact_email="a@example.com")

    await dashboard.post(f"{path}/edit", {**FIELDS, "webhook_url": "", "webhook_events": ""})

    app = (await developer.send("GET", path)).document
    assert (app["embed_url"], app["webhook_url"], app["contact_email"]) == (None, None, None)


async def test_secrets_are_rotated_after_a_recent_sign_in_only(app, dashboard, developer):
    path, _ = await register(dashboard)

    client_secret = await dashboard.post(f"{path}/rotate-secret", status=200)
    webhook_secret = await dashboard.post(f"{path}/rotate-webhook-secret", status=200)

    assert "Client secret" in client_secret
    assert "The old secret works until:" in webhook_secret
    await sql.execute("UPDATE core_web_session SET authenticated_at = now() - interval '1 hour'")
    asked = await dashboard.send(f"{path}/rotate-secret", {"csrf_token": dashboard.csrf_token})
    assert "data-copy" not in await asked.get_data(as_text=True)


async def test_an_app_is_deleted_unless_it_was_installed(dashboard, developer, install, dispatch):
    path, _ = await register(dashboard)
    used = await developer.publish()
    await install(used)
    await dispatch()

    assert await dashboard.post(f"{path}/delete") == "/developer/apps"
    kept = f"/developer/apps/{used['id']}"
    assert await dashboard.post(f"{kept}/delete") == kept

    assert re.search(r"Active installations\s*1\b", re.sub(r"<[^>]+>|\s+", " ", await dashboard.get(kept)))
    await dashboard.get(path, status=404)


async def test_another_developers_app_is_missing(app, dashboard, owner):
    path, _ = await register(dashboard)
    stranger = await sign_in(app, owner.id)

    for address in (path, f"{path}/edit"):
        await stranger.get(address, status=404)
    for act in ("submit", "withdraw", "delete", "rotate-secret", "rotate-webhook-secret", "edit"):
        await stranger.post(f"{path}/{act}", FIELDS, status=404)
