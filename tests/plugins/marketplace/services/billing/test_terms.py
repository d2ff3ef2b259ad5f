"""The terms of installations."""

from datetime import timedelta

import pytest
from comanda_entitlements import api as entitlements
from comanda_marketplace.models import App, BillingStatus
from comanda_marketplace.services.billing import terms
from comanda_oauth import api as oauth

PAID = {"billing": "recurring", "price": 9.9, "period_days": 30, "trial_days": 14}


@pytest.fixture
async def installed(developer, install):
    return await install(await developer.publish(**PAID))


async def agree(owner, installed):
    return await terms.ensure_terms(await oauth.find_installation(owner.id, installed.id))


async def test_terms_begin_with_the_trial_and_once(owner, installed):
    row = await agree(owner, installed)

    assert row.billing_status == BillingStatus.TRIALING
    assert row.next_charge_at == row.installed_at + timedelta(days=14)
    assert (await agree(owner, installed)).id == row.id


async def test_app_grants_a_feature_of_its_own_until_its_end(owner, installed):
    feature = f"{entitlements.APP_FEATURE_PREFIX}{installed.app['id']}"
    row = await agree(owner, installed)
    assert (await entitlements.get_effective(owner.id))[feature].is_granted

    await oauth.uninstall(owner.id, installed.id, "test")
    await terms.end_terms(row, await oauth.find_installation(owner.id, installed.id))

    ended = await terms.find_terms(owner.id, installed.id)
    assert (ended.billing_status, ended.next_charge_at) == (BillingStatus.ENDED, None)
    assert ended.erasure_due_at == ended.uninstalled_at + terms.ERASURE_DELAY
    granted = await entitlements.get_effective(owner.id)
    assert feature not in granted or not granted[feature].is_granted


async def test_other_owner_has_no_terms_of_it(owner, other_owner, installed):
    row = await agree(owner, installed)

    assert await terms.find_terms(other_owner.id, row.id) is None


async def test_present_terms_are_those_of_the_app(developer, owner, installed):
    row = await agree(owner, installed)
    app = await App.get(id=installed.app["id"], owner_id=developer.owner.id)

    assert terms.get_terms(row) == terms.get_terms(app)
