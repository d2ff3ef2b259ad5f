"""Secrets of a developer's app in the dashboard."""

import re

import pytest
from comanda.devkit.testing import sign_in
from comanda_oauth import api as oauth


@pytest.fixture
async def page(app, developer):
    return await sign_in(app, developer.owner.id)


async def test_a_new_client_secret_is_shown_once(page, developer, read_app):
    app = await developer.register()
    path = f"/developer/apps/{app['id']}/secrets"

    before = await page.get(path)
    shown = await page.post(f"{path}/client", status=200)
    row = await read_app(app)
    secret = await oauth.client_signing_key(row["owner_id"], row["client_row_id"])

    assert app["client_id"] in before
    assert secret != app["client_secret"]
    assert f'data-copy="{secret}"' in shown
    assert "The old secret is valid until:" in shown
    assert secret not in await page.get(path)


async def test_a_new_signing_secret_is_shown_once(page, developer):
    app = await developer.register()
    path = f"/developer/apps/{app['id']}/secrets"

    shown = await page.post(f"{path}/webhook", status=200)
    secret = re.search(r'data-copy="(whsec_[^"]+)"', shown)[1]

    assert secret != app["webhook_secret"]
    assert secret not in await page.get(path)


async def test_secrets_need_a_recent_sign_in(page, developer, read_app, advance_time):
    app = await developer.register()
    path = f"/developer/apps/{app['id']}/secrets"
    advance_time(minutes=11)

    await page.get(path, status=303)
    await page.post(f"{path}/client", status=403)
    row = await read_app(app)

    assert await oauth.client_signing_key(row["owner_id"], row["client_row_id"]) == app["client_secret"]


async def test_secrets_of_another_developer_are_missing(page, other_developer, read_app):
    app = await other_developer.register()
    path = f"/developer/apps/{app['id']}/secrets"

    await page.get(path, status=404)
    await page.post(f"{path}/client", status=404)
    await page.post(f"{path}/webhook", status=404)
    row = await read_app(app)

    assert await oauth.client_signing_key(row["owner_id"], row["client_row_id"]) == app["client_secret"]
