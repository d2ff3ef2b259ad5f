"""Fees that providers withhold: revenue of the platform, and nothing in the wallet."""

import pytest
from comanda_wallet import api
from comanda_wallet.services.verification import verify_ledger


async def test_fee_is_recorded_once_and_leaves_the_balance(owner):
    await api.top_up(owner.id, 500, "t")
    first = await api.record_fee(owner.id, 30, "payment-1", "0.30 EUR of payment 1")
    again = await api.record_fee(owner.id, 99, "payment-1")

    assert (first.amount_minor, first.balance_minor, again.is_repeat) == (0, 500, True)
    assert (await api.get_wallet(owner.id)).balance_minor == 500
    assert (await verify_ledger()).problems == []


async def test_fee_must_be_more_than_nothing(owner):
    with pytest.raises(ValueError, match="more than 0"):
        await api.record_fee(owner.id, 0, "payment-1")
