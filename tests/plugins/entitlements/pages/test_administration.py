"""Grants of administrators in the dashboard."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import sign_in
from comanda_entitlements import api


@pytest.fixture
async def administrator(app, other_owner):
    await administration.set_administrator(other_owner.email, is_administrator=True)
    return await sign_in(app, other_owner.id)


@pytest.fixture
def path(owner):
    return f"/administration/owners/{owner.id}/entitlements"


async def read(owner, feature):
    return (await api.get_effective(owner.id))[feature]


async def test_an_owner_is_found_granted_a_feature_and_revoked(administrator, owner, plan, path):
    await plan()

    found = await administrator.get(f"/administration/owners/{owner.id}")
    await administrator.post(path, {"feature": "crm_suite", "quota": "5", "until": "2090-01-31"})
    granted = await read(owner, "crm_suite")
    page = await administrator.get(path)
    await administrator.post(f"{path}/revoke", {"feature": "crm_suite"})

    assert f"/dashboard{path}" in found
    assert (granted.is_granted, granted.quota) == (True, 5)
    assert "Granted by the operator" in page
    assert "31 Jan 2090" in page
    assert f"{path}/revoke" in page
    assert not (await read(owner, "crm_suite")).is_granted
    assert f"{path}/revoke" not in await administrator.get(path)


async def test_a_grant_is_in_the_audit_log_of_its_owner(administrator, dashboard, plan, path):
    await plan()
    await administrator.post(path, {"feature": "crm_suite"})
    await administrator.post(f"{path}/revoke", {"feature": "crm_suite"})

    log = await dashboard.get("/audit-log")

    assert "Was granted a feature" in log
    assert "A grant of a feature was revoked" in log


@pytest.mark.parametrize(
    "fields",
    [
        {"feature": "unicorns"},
        {"feature": ""},
        {"feature": "crm_suite", "quota": "-1"},
        {"feature": "crm_suite", "quota": "some"},
        {"feature": "crm_suite", "until": "2020-01-01"},
        {"feature": "crm_suite", "until": "soon"},
    ],
)
async def test_invalid_grants_are_refused(administrator, owner, plan, path, fields):
    await plan()

    page = await administrator.post(path, fields, status=422)

    assert 'class="problem"' in page or 'role="alert"' in page
    assert not (await read(owner, "crm_suite")).is_granted


async def test_what_nobody_granted_cannot_be_revoked(administrator, owner, plan, path):
    await plan(crm_suite=None)

    await administrator.post(f"{path}/revoke", {"feature": "crm_suite"}, status=404)

    assert (await read(owner, "crm_suite")).is_granted


async def test_an_unknown_owner_is_missing(administrator):
    path = "/administration/owners/987654321/entitlements"

    await administrator.get(path, status=404)
    await administrator.post(path, {"feature": "crm_suite"}, status=404)


async def test_owners_find_no_administration(dashboard, owner, plan, path):
    await plan()

    await dashboard.get(path, status=404)
    await dashboard.post(path, {"feature": "crm_suite"}, status=404)

    assert not (await read(owner, "crm_suite")).is_granted
