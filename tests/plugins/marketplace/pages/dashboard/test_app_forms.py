"""The forms in which developers register and change apps."""

import re

import pytest
from comanda.devkit.testing import sign_in

NEW = "/developer/apps/new"
FIELDS = {
    "name": "Loyalty Cards",
    "category": "loyalty",
    "tagline": "Stamps for regulars",
    "description": "Counts orders.\nGives stamps.",
    "contact_email": "dev@loyalty.example.com",
    "links.website": "https://loyalty.example.com/",
    "links.support": "",
    "scopes": ["", "orders:read", "restaurants:read"],
    "_redirect_uris": "https://loyalty.example.com/callback\r\n\r\n http://127.0.0.1:8765/callback ",
    "billing": "recurring",
    "price": "9,50",
    "period_days": "7",
    "trial_days": "14",
    "embed_url": "https://loyalty.example.com/embedded",
    "webhook_url": "https://93.184.215.14/hook",
    "webhook_events": ["", "order.created"],
}


@pytest.fixture
async def page(app, developer):
    return await sign_in(app, developer.owner.id)


@pytest.fixture
def list_apps(developer):
    async def run():
        return (await developer.send("GET", "/developer/apps")).document["data"]

    return run


async def test_an_app_is_registered_with_all_fields_and_secrets_shown_once(page, list_apps):
    form = await page.get(NEW)
    shown = await page.post(NEW, FIELDS, status=200)
    [app] = await list_apps()
    secret = re.search(r'data-copy="(whsec_[^"]+)"', shown)[1]

    assert "An order was placed" in form
    assert "A customer was added" not in form
    assert app["redirect_uris"] == ["https://loyalty.example.com/callback", "http://127.0.0.1:8765/callback"]
    assert sorted(app["scopes"]) == ["orders:read", "restaurants:read"]
    assert (app["billing"], app["price"], app["period_days"], app["trial_days"]) == ("recurring", 9.5, 7, 14)
    assert app["links"] == {"website": "https://loyalty.example.com/"}
    assert app["description"] == "Counts orders.\nGives stamps."
    assert (app["webhook_url"], app["webhook_events"]) == (FIELDS["webhook_url"], ["order.created"])
    assert (app["contact_email"], app["embed_url"]) == (FIELDS["contact_email"], FIELDS["embed_url"])
    assert app["client_id"] in shown
    assert len(re.findall(r'data-copy="', shown)) == 3
    assert secret not in await page.get(f"/developer/apps/{app['id']}")


async def test_wrong_fields_are_named_and_what_was_written_stays(page, list_apps):
    priced = await page.post(NEW, FIELDS | {"price": "lots"}, status=422)
    shown = await page.post(NEW, FIELDS | {"_redirect_uris": "ftp://a.example"}, status=422)

    assert 'value="lots"' in priced
    assert 'aria-invalid="true"' in priced
    assert "ftp://a.example: must begin" in shown
    assert ">\nftp://a.example</textarea>" in shown
    assert "Stamps for regulars" in shown
    assert await list_apps() == []


async def test_an_address_of_a_link_or_a_page_is_checked(page, list_apps):
    wrong = FIELDS | {"links.website": "http://a.example", "embed_url": "http://a.example/"}

    shown = await page.post(NEW, wrong, status=422)

    assert shown.count('aria-invalid="true"') == 2
    assert await list_apps() == []


async def test_an_app_needs_an_address_to_return_to(page, list_apps):
    shown = await page.post(NEW, FIELDS | {"_redirect_uris": " \r\n"}, status=422)

    assert "Must contain at least 1 address." in shown
    assert await list_apps() == []


async def test_the_form_of_an_app_shows_its_fields_and_keeps_them(page, developer, list_apps):
    await page.post(NEW, FIELDS, status=200)
    [before] = await list_apps()
    path = f"/developer/apps/{before['id']}/edit"

    form = await page.get(path)
    await page.post(path, FIELDS)
    after = await developer.get(before)

    assert 'value="9.50"' in form
    assert "https://loyalty.example.com/callback\nhttp://127.0.0.1:8765/callback</textarea>" in form
    assert {**after, "updated_at": None} == {**before, "updated_at": None}


async def test_empty_fields_are_cleared(page, developer, list_apps):
    await page.post(NEW, FIELDS, status=200)
    [app] = await list_apps()
    empty = {
        **dict.fromkeys(FIELDS, ""),
        "name": "Stamps",
        "category": "other",
        "_redirect_uris": "https://loyalty.example.com/callback",
        "billing": "free",
        "price": "9.50",
    }

    await page.post(f"/developer/apps/{app['id']}/edit", empty)
    saved = await developer.get(app)

    assert saved["name"] == "Stamps"
    assert (saved["tagline"], saved["description"], saved["links"]) == ("", "", {})
    assert (saved["embed_url"], saved["webhook_url"], saved["contact_email"]) == (None, None, None)
    assert (saved["scopes"], saved["webhook_events"]) == ([], [])
    assert (saved["billing"], saved["price"]) == ("free", 0)


async def test_a_name_cannot_be_emptied(page, developer):
    app = await developer.register()

    await page.post(f"/developer/apps/{app['id']}/edit", FIELDS | {"name": ""}, status=422)

    assert (await developer.get(app))["name"] == "Loyalty Cards"


async def test_new_scopes_send_a_listed_app_back_to_review(page, developer):
    app = await developer.publish()
    path = f"/developer/apps/{app['id']}"

    await page.post(f"{path}/edit", FIELDS)

    assert (await developer.get(app))["status"] == "in_review"
    assert "reviewed again" in await page.get(path)


async def test_patterns_of_events_that_the_form_does_not_list_stay_chosen(page, developer):
    app = await developer.register(webhook_url="https://93.184.215.14/hook", webhook_events=["order.*"])

    form = await page.get(f"/developer/apps/{app['id']}/edit")

    assert '<input type="checkbox" name="webhook_events" value="order.*" checked>' in form


async def test_an_app_of_another_developer_is_missing(page, other_developer):
    app = await other_developer.register()
    path = f"/developer/apps/{app['id']}/edit"

    await page.get(path, status=404)
    await page.post(path, FIELDS | {"name": "Taken"}, status=404)

    assert (await other_developer.get(app))["name"] == "Loyalty Cards"


async def test_registering_needs_a_recent_sign_in(app, developer, list_apps, advance_time):
    page = await sign_in(app, developer.owner.id)
    advance_time(minutes=11)

    await page.get(NEW, status=303)
    await page.post(NEW, FIELDS, status=403)

    assert await list_apps() == []
