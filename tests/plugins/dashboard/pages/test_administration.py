"""Owners in the administration of the installation."""

import pytest
from comanda.accounts import administration, services
from comanda.devkit.testing import sign_in


@pytest.fixture
async def administrator(app, owner):
    await administration.set_administrator(owner.email, is_administrator=True)
    return await sign_in(app, owner.id)


async def test_an_owner_is_found_suspended_and_restored(administrator, other_owner):
    path = f"/administration/owners/{other_owner.id}"

    found = await administrator.get(f"/administration/owners?search={other_owner.email.upper()}")
    await administrator.post(f"{path}/suspend", {"reason": " "})
    unchanged = await services.get_owner(other_owner.id)
    await administrator.post(f"{path}/suspend", {"reason": "Fraud <b>"})
    page = await administrator.get(path)
    suspended = await administrator.get("/administration/owners?status=suspended&page=x")
    await administrator.post(f"{path}/unsuspend")

    assert path in found
    assert not unchanged.is_suspended
    assert "Fraud &lt;b&gt;" in page
    assert path in suspended
    assert not (await services.get_owner(other_owner.id)).is_suspended


async def test_a_suspension_is_in_the_audit_log_of_its_owner(app, administrator, other_owner):
    path = f"/administration/owners/{other_owner.id}"
    await administrator.post(f"{path}/suspend", {"reason": "Unpaid"})
    await administrator.post(f"{path}/unsuspend")

    log = await (await sign_in(app, other_owner.id)).get("/audit-log")

    assert "Account suspended" in log
    assert "Suspension of the account lifted" in log


async def test_nobody_suspends_their_own_account(administrator, owner):
    await administrator.post(f"/administration/owners/{owner.id}/suspend", {"reason": "Oops"})

    assert not (await services.get_owner(owner.id)).is_suspended


async def test_owners_find_no_administration(dashboard):
    await dashboard.get("/administration/owners", status=404)

    assert "/dashboard/administration" not in await dashboard.get("/account")
