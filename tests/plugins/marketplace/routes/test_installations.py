"""Installed apps, as owners manage them."""

import pytest
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements


@pytest.fixture
async def installed(developer, install):
    return await install(await developer.publish(billing="usage", price=0.05))


async def test_installation_is_listed_with_its_terms(installed, customer, dispatch):
    await dispatch()

    [listed] = (await customer.send("GET", "/app-installations"))["data"]

    assert (listed["id"], listed["app_id"], listed["name"]) == (installed.id, installed.app["id"], "Loyalty Cards")
    assert listed["terms"] == {"billing": "usage", "price": 0.05, "currency": "EUR", "period_days": 30}
    assert (listed["is_active"], listed["new_terms"], listed["monthly_cap"]) == (True, None, None)
    assert (await customer.send("GET", f"/apps/{installed.app['id']}"))["installation_id"] == installed.id


async def test_uninstalling_ends_tokens_and_features_at_once(installed, customer, client, owner, dispatch):
    await dispatch()
    feature = f"app:{installed.app['id']}"
    assert feature in await entitlements.get_effective(owner.id)
    path = f"/app-installations/{installed.id}"

    assert (await customer.send("DELETE", path)).status == 204

    assert feature not in await entitlements.get_effective(owner.id)
    assert (await client.get("/api/v1/me", headers=installed.auth)).status_code == 401
    assert (await customer.send("GET", "/app-installations"))["data"] == []
    ended = await customer.send("GET", path)
    assert (ended["is_active"], ended["uninstalled_at"] is None) == (False, False)
    assert (await customer.send("DELETE", path)).status == 204
    assert (await customer.send("PATCH", path, {"monthly_cap": 5})).status == 409


async def test_app_token_cannot_manage_installations(installed, customer):
    reply = await customer.send("DELETE", f"/app-installations/{installed.id}", auth=installed.auth)

    assert reply.status == 403
    assert (await installed.report(quantity="1")).status == 402


async def test_cap_outlasts_the_removal_of_the_app(installed, install, customer):
    await customer.send("PATCH", f"/app-installations/{installed.id}", {"monthly_cap": 7.5})
    await customer.send("DELETE", f"/app-installations/{installed.id}")

    again = await install(installed.app)
    await again.report(quantity="1")

    assert (await customer.send("GET", f"/app-installations/{again.id}"))["monthly_cap"] == 7.5


@pytest.mark.parametrize("cap", [-1, "a lot", 0.001, 10**13])
async def test_invalid_cap_is_refused(installed, customer, cap):
    reply = await customer.send("PATCH", f"/app-installations/{installed.id}", {"monthly_cap": cap})

    assert list(reply.errors) == ["monthly_cap"]


async def test_installed_app_cannot_be_deleted(installed, developer):
    reply = await developer.send("DELETE", f"/developer/apps/{installed.app['id']}")

    assert (reply.status, reply["reason"]) == (409, "was_installed")
    assert (await developer.get(installed.app))["status"] == "approved"


async def test_program_that_is_no_app_is_listed_without_terms(installed, customer):
    await sql.execute("DELETE FROM marketplace_app WHERE id = $1", installed.app["id"])

    [listed] = (await customer.send("GET", "/app-installations"))["data"]

    assert (listed["app_id"], listed["terms"], listed["name"]) == (None, None, installed.app["client_id"])
    path = f"/app-installations/{installed.id}"
    assert (await customer.send("POST", f"{path}/accept-terms"))["reason"] == "not_an_app"
    assert (await customer.send("DELETE", path)).status == 204
