"""Mollie's library as it is used: refusals for good, and what may be repeated."""

import mollie
import pytest
from comanda.contracts import AccountMode, AccountState, PaymentAccount, PaymentDeclined
from comanda_mollie.client import NoKey, open_client
from mollie_api import KEY


@pytest.fixture
def own():
    """An account with a key of its own."""
    return PaymentAccount(
        "mollie", 1, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), "", credentials={"api_key": KEY}
    )


async def ask(account):
    async with open_client(account) as client:
        return await client.profiles.get_current_async()


@pytest.mark.parametrize("status", [400, 404, 410, 422])
async def test_refusal_is_final(api, own, status):
    api.refuse = status

    with pytest.raises(PaymentDeclined, match="Not today"):
        await ask(own)


@pytest.mark.parametrize("status", [401, 403, 409, 429, 500, 503])
async def test_anything_else_may_succeed_later_and_is_not_repeated_here(api, own, status):
    api.refuse = status

    with pytest.raises(mollie.ClientError):
        await ask(own)

    assert api.asked == ["GET /v2/profiles/me"]


async def test_account_without_a_key_needs_that_of_the_operator(api):
    with pytest.raises(NoKey):
        await ask(None)


def test_secrets_are_not_shown(own):
    assert KEY not in repr(own)
