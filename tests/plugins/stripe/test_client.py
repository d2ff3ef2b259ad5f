"""Stripe's library as it is used: refusals for good, and what may be repeated."""

import pytest
import stripe
from comanda.contracts import AccountMode, AccountState, PaymentAccount, PaymentDeclined
from comanda_stripe.client import NoKey, open_client
from hosted_checkout import KEY


@pytest.fixture
def own():
    """An account with a key of its own."""
    return PaymentAccount(
        "stripe", 1, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), "", credentials={"secret_key": KEY}
    )


async def ask(account):
    async with open_client(account) as client:
        return await client.v1.accounts.retrieve_current_async()


async def test_refusal_is_final(api, own):
    api.refuse = 400

    with pytest.raises(PaymentDeclined, match="Not today"):
        await ask(own)


@pytest.mark.parametrize("status", [401, 403, 409, 429, 500, 503])
async def test_anything_else_may_succeed_later_and_is_not_repeated_here(api, own, status):
    api.refuse = status

    with pytest.raises(stripe.StripeError):
        await ask(own)

    assert api.asked == ["GET /v1/account"]


async def test_account_without_a_key_needs_that_of_the_operator(api):
    connected = PaymentAccount("stripe", 1, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), "")

    with pytest.raises(NoKey):
        await ask(connected)


def test_secrets_are_not_shown(own):
    assert KEY not in repr(own)
