"""The health, the plugins and the settings of the installation in the dashboard."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import sign_in
from pydantic import SecretStr


@pytest.fixture
async def administrator(app, owner):
    await administration.set_administrator(owner.email, is_administrator=True)
    return await sign_in(app, owner.id)


async def test_health_and_plugins_are_shown(administrator):
    page = await administrator.get("/administration/system")

    assert "PostgreSQL" in page
    assert "Migrations" in page
    assert "comanda-dashboard" in page
    assert 'href="/dashboard/administration/settings?plugin=stripe#plugin-stripe"' in page
    assert 'href="/dashboard/administration/owners"' in page


async def test_settings_of_a_plugin_are_unfolded_with_secrets_masked(administrator, runtime):
    page = await administrator.get("/administration/settings?plugin=stripe")

    assert 'id="plugin-stripe" open' in page
    assert 'id="plugin-core" open' not in page
    assert 'id="plugin-core" open' in await administrator.get("/administration/settings?plugin=%3Cb%3E")
    assert "COMANDA_" in page
    secrets = [value.get_secret_value() for _, value in runtime.settings if isinstance(value, SecretStr)]
    assert [secret for secret in secrets if secret and secret in page] == []


async def test_owners_find_no_system(dashboard):
    for path in ("system", "settings"):
        await dashboard.get(f"/administration/{path}", status=404)


async def test_steps_that_are_paused_are_shown_with_their_plugin(administrator, monkeypatch):
    monkeypatch.setattr("comanda_dashboard.pages.system.list_paused", lambda: [("payments", "cash: reserve")])

    page = await administrator.get("/administration/system")

    assert page.count("Paused") == 1
    assert "cash: reserve" in page.split('scope="row">payments<')[1].split("</tr>")[0]
