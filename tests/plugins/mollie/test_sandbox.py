"""Mollie itself, in test mode: run with a test key in COMANDA_TEST_MOLLIE_KEY; no money moves."""

import os
from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.contracts import AccountMode, AccountState, ChargeRequest, PaymentAccount, ProviderState
from comanda_mollie.provider.checkout import MollieProvider

KEY = os.environ.get("COMANDA_TEST_MOLLIE_KEY", "")

pytestmark = pytest.mark.skipif(
    not KEY.startswith("test_"), reason="COMANDA_TEST_MOLLIE_KEY has no test key of Mollie."
)


@pytest.fixture
def account(app):
    return PaymentAccount(
        "mollie", 1, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), "http://localhost/webhooks/1-1",
        credentials={"api_key": KEY},
    )  # fmt: skip


async def test_profile_has_a_state(account):
    status = await MollieProvider().check_account(account)

    assert status.mode is AccountMode.TEST
    assert (status.external_id or "").startswith("pfl_")


async def test_payment_is_started_once_and_found_again(account):
    charge = ChargeRequest(
        key="payment-1-1", store_id=1, amount_minor=1234, fee_minor=0, currency="EUR", description="Comanda's tests",
        return_url="https://example.com/back", expires_at=clock.now() + timedelta(hours=1),
    )  # fmt: skip

    started = [await MollieProvider().start(account, charge) for _ in range(2)]

    assert started[0].reference == started[1].reference
    assert (started[0].redirect_url or "").startswith("https://")
    assert (await MollieProvider().check(account, started[0].reference)).state is ProviderState.PENDING
    assert (await MollieProvider().cancel(account, started[0].reference)).state is not ProviderState.SUCCEEDED
