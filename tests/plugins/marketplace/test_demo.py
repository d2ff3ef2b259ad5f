"""The demo's developer, apps and installation."""

import pytest
from comanda.operations.demo_data import DemoBuilder
from comanda.platform.db import sql
from comanda_marketplace import demo
from comanda_wallet import api as wallet


@pytest.fixture
async def forget_demo(app):
    """Let the demo be created anew, with a developer of its own."""
    await sql.execute("DELETE FROM core_demo_thing WHERE name LIKE 'app%' OR name = 'developer'")


async def test_demo_app_is_installed_and_can_charge(forget_demo, owner, client, monkeypatch):
    monkeypatch.setattr(demo, "EMAIL", f"developer-{owner.id}@demo.example")
    showcase = DemoBuilder(owners={"owner": owner.id})
    await wallet.top_up(owner.id, 1000, "demo")

    await demo.create_demo_apps(showcase)
    again = DemoBuilder(owners={"owner": owner.id}, kept=dict(showcase.tokens))
    await demo.create_demo_apps(again)

    assert again.tokens == showcase.tokens
    assert again.details == showcase.details
    app = showcase.details["app"]
    assert set(app) == {"id", "client_id", "client_secret", "scopes"}
    assert app["scopes"] == ["menu:read", "orders:read", "restaurant:read"]
    auth = {"Authorization": f"Bearer {showcase.tokens['app']}"}
    charged = await client.post("/api/app/usage", headers=auth, form={"quantity": "2"})
    assert (charged.status_code, (await charged.get_json())["balance"]) == (201, 9.9)
    listed = await client.get("/api/v1/apps?search=table+talk", headers=owner.auth)
    assert (await listed.get_json())["data"][0]["is_embedded"] is True
    assert showcase.logins["developer"]["password"]
