"""Installed apps in the dashboard."""

import pytest
from comanda.devkit.testing import sign_in
from comanda_marketplace.services.listings import review

USAGE = {"billing": "usage", "price": 0.5}


@pytest.fixture
async def installed(developer, install):
    return await install(await developer.publish(**USAGE))


async def test_an_installed_app_shows_scopes_usage_and_cap(dashboard, installed, fund):
    await fund(1000)
    assert (await installed.report({"quantity": 3, "ref": "order-4711"})).status == 201

    listed = await dashboard.get("/apps/installed")
    page = await dashboard.get(f"/apps/installed/{installed.id}")

    assert "Loyalty Cards" in listed
    assert "1.50" in listed
    assert "order-4711" in page
    assert "In all of your stores." in page
    assert "embed" not in page


async def test_each_scope_of_an_installed_app_is_in_words(dashboard, developer, install):
    scopes = ["menu:read", "restaurant:read"]
    installed = await install(await developer.publish(scopes=scopes), scopes=scopes)

    page = await dashboard.get(f"/apps/installed/{installed.id}")

    assert "Read restaurant profile and settings" in page
    assert "restaurants:read" not in page


async def test_a_cap_is_set_and_a_wrong_one_named(dashboard, installed):
    path = f"/apps/installed/{installed.id}"

    await dashboard.post(path, {"monthly_cap": "25"})
    page = await dashboard.get(path)
    wrong = await dashboard.post(path, {"monthly_cap": "lots"}, status=422)

    assert 'value="25' in page
    assert 'value="lots"' in wrong
    assert (await installed.read())["monthly_cap_minor"] == 2500


async def test_an_app_is_uninstalled(dashboard, installed):
    await dashboard.post(f"/apps/installed/{installed.id}/uninstall")
    page = await dashboard.get(f"/apps/installed/{installed.id}")

    assert "Uninstalled" in page
    assert "/uninstall" not in page


async def test_what_is_due_is_paid_and_a_new_price_accepted(dashboard, developer, install, fund, dispatch):
    app = await developer.publish(billing="recurring", price=9, period_days=30)
    installed = await install(app)
    await dispatch()
    due = await dashboard.get(f"/apps/installed/{installed.id}")

    refused = await dashboard.post(f"/apps/installed/{installed.id}/pay")
    await fund(5000)
    await dashboard.post(f"/apps/installed/{installed.id}/pay")
    paid = await dashboard.get(f"/apps/installed/{installed.id}")
    await developer.send("PATCH", f"/developer/apps/{app['id']}", {"price": 12})
    await review.approve(app["id"])
    raised = await dashboard.get(f"/apps/installed/{installed.id}")
    await dashboard.post(f"/apps/installed/{installed.id}/accept-terms")
    accepted = await dashboard.get(f"/apps/installed/{installed.id}")

    assert "Pay now" in due
    assert refused == f"/apps/installed/{installed.id}"
    assert "Pay now" not in paid
    assert "Accept the new price" in raised
    assert "Accept the new price" not in accepted
    assert "12.00 every 30 days" in accepted


async def test_an_app_of_another_owner_is_missing(app, installed, other_owner):
    stranger = await sign_in(app, other_owner.id)

    await stranger.get(f"/apps/installed/{installed.id}", status=404)
    await stranger.post(f"/apps/installed/{installed.id}/uninstall", status=404)
