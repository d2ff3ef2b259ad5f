"""The review of apps in the dashboard."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import sign_in


@pytest.fixture
async def administrator(app, owner):
    await administration.set_administrator(owner.email, is_administrator=True)
    return await sign_in(app, owner.id)


@pytest.fixture
async def submitted(developer):
    app = await developer.register(tagline="Stamps <b>")
    assert (await developer.send("POST", f"/developer/apps/{app['id']}/submit")).status == 200
    return app


async def test_a_submitted_app_is_reviewed_approved_and_delisted(administrator, developer, submitted):
    path = f"/administration/apps/{submitted['id']}"

    queue = await administrator.get("/administration/apps")
    page = await administrator.get(path)
    await administrator.post(f"{path}/start")
    await administrator.post(f"{path}/approve", {"webhooks": "on"})
    approved = await developer.get(submitted)
    await administrator.post(f"{path}/delist")

    assert f"/dashboard{path}" in queue
    assert "Stamps &lt;b&gt;" in page
    assert "orders:read" in page
    assert (approved["status"], approved["features"]) == ("approved", ["webhooks"])
    assert (await developer.get(submitted))["status"] == "delisted"


async def test_a_rejection_needs_a_reason(administrator, developer, submitted):
    path = f"/administration/apps/{submitted['id']}"

    await administrator.post(f"{path}/reject", {"reason": " "})
    waiting = await developer.get(submitted)
    await administrator.post(f"{path}/reject", {"reason": "Asks for too much."})
    rejected = await developer.get(submitted)

    assert waiting["status"] == "submitted"
    assert (rejected["status"], rejected["rejection_reason"]) == ("rejected", "Asks for too much.")
    assert "Loyalty Cards" in await administrator.get("/administration/apps?status=rejected")


async def test_owners_find_no_review(dashboard, developer, submitted):
    await dashboard.get("/administration/apps", status=404)
    await dashboard.post(f"/administration/apps/{submitted['id']}/approve", status=404)

    assert (await developer.get(submitted))["status"] == "submitted"
