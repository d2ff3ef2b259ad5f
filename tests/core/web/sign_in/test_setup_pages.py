"""The page of the first start."""

import re

import pytest
from comanda.accounts.sign_in import one_time_tokens
from comanda.platform.db import sql
from comanda.stores import setup

FORM = {
    "name": "Grace Hopper",
    "email": "grace.setup@example.com",
    "password": "correct horse battery",
    "title": "Grace's",
    "store_type": "restaurant",
    "currency": "USD",
    "timezone": "America/New_York",
    "country": "US",
}
MINE = "email = 'grace.setup@example.com'"


@pytest.fixture
async def path(app, monkeypatch):
    monkeypatch.setattr(setup, "HAS_OWNER", f"SELECT EXISTS (SELECT FROM core_owner WHERE {MINE})")
    yield (await setup.create_setup_link()).removeprefix("http://comanda.test")
    for row in await sql.fetch(f"SELECT id FROM core_owner WHERE {MINE}"):
        await sql.execute("DELETE FROM core_store WHERE owner_id = $1", row["id"])
        await sql.execute("DELETE FROM core_owner WHERE id = $1", row["id"])
    await one_time_tokens.delete_tokens(one_time_tokens.NO_OWNER, setup.PURPOSE)


async def test_page_creates_the_owner_and_signs_in(app, path):
    client = app.test_client()
    shown = await client.get(path)
    text = (await shown.get_data()).decode()
    assert (shown.status_code, shown.headers["Referrer-Policy"]) == (200, "no-referrer")
    assert shown.headers["X-Frame-Options"] == "DENY"
    for field in FORM:
        assert f'name="{field}"' in text
    assert re.search(r'<option value="USD".*>USD \(US Dollar\)</option>', text)

    answer = await client.post(path, form=FORM)

    assert (answer.status_code, answer.headers["Location"]) == (303, "/dashboard")
    assert "You are signed in" in (await (await client.get("/sign-in")).get_data()).decode()
    assert (await client.get(path)).status_code == 404
    assert (await app.test_client().post(path, form=FORM)).status_code == 404


async def test_wrong_form_keeps_the_values_but_the_password(app, path):
    answer = await app.test_client().post(path, form={**FORM, "title": '"><b>', "password": "12345678"})

    text = (await answer.get_data()).decode()
    assert answer.status_code == 422
    assert "This is one of the most common passwords." in text
    assert 'value="&#34;&gt;&lt;b&gt;"' in text
    assert 'value="12345678"' not in text
    assert re.search(r'<option value="America/New_York" selected>', text)


async def test_other_sites_and_unknown_links_are_refused(app, path):
    client = app.test_client()

    assert (await client.post(path, form=FORM, headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
    for wrong in ("/setup/x", path[:-1], f"/setup/{'a' * 200}", path + "1"):
        assert (await client.get(wrong)).status_code == 404
        assert (await client.post(wrong, form=FORM)).status_code == 404
    assert not await sql.fetch_value(f"SELECT EXISTS (SELECT FROM core_owner WHERE {MINE})")
