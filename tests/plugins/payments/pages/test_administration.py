"""The operator's terms of an owner, as administrators decide them in the dashboard."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import sign_in
from comanda_payments.services.accounts import fees, payment_accounts
from comanda_payments.services.accounts.fees import Fee


@pytest.fixture
async def administrator(app, other_owner):
    await administration.set_administrator(other_owner.email, is_administrator=True)
    return await sign_in(app, other_owner.id)


@pytest.fixture
def path(owner):
    return f"/administration/owners/{owner.id}/payment-terms"


async def test_the_account_is_lent_and_lent_no_longer(administrator, owner, path):
    assert f"/dashboard{path}" in await administrator.get(f"/administration/owners/{owner.id}")

    await administrator.post(f"{path}/loan", {"is_lent": "1"})
    assert await payment_accounts.is_operator_account_lent(owner.id)
    await administrator.post(f"{path}/loan", {"is_lent": "0"})

    assert not await payment_accounts.is_operator_account_lent(owner.id)


async def test_a_fee_is_set_for_all_stores_and_for_one(administrator, owner, store, path):
    await administrator.post(path, {"store_id": "", "percent": "1.5", "fixed": "0.10"})
    await administrator.post(path, {"store_id": str(store.id), "percent": "2.25", "fixed": ""})
    page = await administrator.get(path)

    assert await fees.get_fee(owner.id, None) == Fee(15_000, 10)
    assert await fees.get_fee(owner.id, store.id) == Fee(22_500, 0)
    assert "All stores" in page
    assert "1.5 %" in page
    assert "2.25 %" in page

    await administrator.post(f"{path}/fee/delete", {"store_id": str(store.id)})
    assert await fees.get_fee(owner.id, store.id) == Fee(15_000, 10)
    await administrator.post(f"{path}/fee/delete", {"store_id": ""})
    assert await fees.get_fee(owner.id, store.id) == Fee()


async def test_decisions_are_in_the_audit_log_of_the_owner(administrator, dashboard, path):
    await administrator.post(f"{path}/loan", {"is_lent": "1"})
    await administrator.post(path, {"percent": "1"})
    await administrator.post(f"{path}/fee/delete", {"store_id": ""})

    log = await dashboard.get("/audit-log")

    assert "May use the operator" in log
    assert "A fee of online payments was set" in log
    assert "A fee of online payments was removed" in log


@pytest.mark.parametrize(
    "fields", [{}, {"percent": "-1"}, {"percent": "101"}, {"percent": "much"}, {"percent": "1", "fixed": "0.001"}]
)
async def test_invalid_fees_are_refused(administrator, owner, path, fields):
    page = await administrator.post(path, fields, status=422)

    assert 'class="problem"' in page or 'role="alert"' in page
    assert await fees.get_fee(owner.id, None) == Fee()


async def test_store_of_another_owner_is_missing(administrator, owner, other_store, path):
    await administrator.post(path, {"store_id": str(other_store.id), "percent": "1"}, status=404)


async def test_unknown_owner_is_missing(administrator):
    path = "/administration/owners/987654321/payment-terms"

    await administrator.get(path, status=404)
    await administrator.post(path, {"percent": "1"}, status=404)
    await administrator.post(f"{path}/loan", {"is_lent": "1"}, status=404)


async def test_owners_decide_nothing(dashboard, owner, path):
    await dashboard.get(path, status=404)
    await dashboard.post(path, {"percent": "0"}, status=404)
    await dashboard.post(f"{path}/loan", {"is_lent": "1"}, status=404)

    assert not await payment_accounts.is_operator_account_lent(owner.id)
