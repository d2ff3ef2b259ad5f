"""Apps of a developer in the dashboard: list, review, figures, deletion."""

import pytest
from comanda.devkit.testing import sign_in
from comanda_marketplace.services.listings import review

PATH = "/developer/apps"


@pytest.fixture
async def page(app, developer):
    return await sign_in(app, developer.owner.id)


async def test_the_list_shows_own_apps_with_their_state(page, developer, other_developer):
    draft = await developer.register(name="Ledger <b>")
    await other_developer.register(name="Somebody else's")

    listed = await page.get(PATH)

    assert f"/dashboard{PATH}/{draft['id']}" in listed
    assert "Ledger &lt;b&gt;" in listed
    assert "Draft" in listed
    assert "Somebody else" not in listed


async def test_a_developer_without_apps_is_invited(page):
    assert f'href="/dashboard{PATH}/new"' in await page.get(PATH)


async def test_an_app_is_submitted_and_withdrawn(page, developer):
    app = await developer.register()
    path = f"{PATH}/{app['id']}"

    draft = await page.get(path)
    await page.post(f"{path}/submit")
    submitted = await developer.get(app)
    waiting = await page.get(path)
    await page.post(f"{path}/withdraw")

    assert f"{path}/submit" in draft
    assert f"{path}/withdraw" not in draft
    assert submitted["status"] == "submitted"
    assert f"{path}/submit" not in waiting
    assert (await developer.get(app))["status"] == "draft"


async def test_the_reviewers_reason_is_shown_until_it_is_submitted_again(page, developer):
    app = await developer.register()
    path = f"{PATH}/{app['id']}"
    await page.post(f"{path}/submit")
    await review.reject(app["id"], "Asks for <i>too</i> much.\nRemove the menu.")

    rejected = await page.get(path)
    await page.post(f"{path}/submit")

    assert "Asks for &lt;i&gt;too&lt;/i&gt; much." in rejected
    assert "<p>Remove the menu.</p>" in rejected
    assert "too much" not in await page.get(path)


async def test_an_app_shows_installations_and_charges_without_names(page, developer, install, fund, owner):
    app = await developer.publish(billing="usage", price=0.0025)
    await fund(1000)
    installed = await install(app)
    assert (await installed.report({"quantity": 400})).status == 201

    shown = await page.get(f"{PATH}/{app['id']}")

    assert "0.0025 EUR per unit" in shown
    assert "€1.00" in shown
    assert app["client_id"] in shown
    assert "/dashboard/wallet/earnings" in shown
    assert owner.email not in shown
    assert app["client_secret"] not in shown


async def test_an_app_is_deleted_unless_it_was_installed(page, developer, install):
    installed = await developer.publish()
    await install(installed)
    unused = await developer.register(name="Unused")

    kept = await page.post(f"{PATH}/{installed['id']}/delete")
    deleted = await page.post(f"{PATH}/{unused['id']}/delete")

    assert (kept, deleted) == (PATH, PATH)
    assert (await developer.get(installed))["status"] == "approved"
    assert (await developer.send("GET", f"{PATH}/{unused['id']}")).status == 404


async def test_an_app_of_another_developer_is_missing(page, other_developer):
    app = await other_developer.register()
    path = f"{PATH}/{app['id']}"

    await page.get(path, status=404)
    await page.post(f"{path}/submit", status=404)
    await page.post(f"{path}/withdraw", status=404)
    await page.post(f"{path}/delete", status=404)

    assert (await other_developer.get(app))["status"] == "draft"


async def test_the_navigation_leads_developers_to_their_apps(page, developer, dashboard):
    await developer.register()

    link = f'href="/dashboard{PATH}"'

    assert link in await page.get("/account")
    assert link not in await dashboard.get("/account")
    assert link in await dashboard.get("/apps")


async def test_developer_without_stores_starts_on_their_apps(page, developer):
    assert "No stores yet" in await page.get("")
    await developer.register()

    response = await page.client.get("/dashboard")

    assert response.status_code == 303
    assert response.headers["Location"] == f"/dashboard{PATH}"
