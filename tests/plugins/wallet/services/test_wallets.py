"""Credit limits and the currency of wallets."""

import pytest
from comanda.basics import Conflict, ValidationFailed
from comanda_wallet import api
from comanda_wallet.services import wallets


async def test_credit_limit_below_debt_is_refused(wallet, owner):
    await wallets.set_credit_limit(owner.id, 500)
    await wallet.charge(300)

    with pytest.raises(Conflict, match=r"owes 3\.00 EUR"):
        await wallets.set_credit_limit(owner.id, 299)

    assert (await api.get_wallet(owner.id)).credit_limit_minor == 500
    assert (await wallets.set_credit_limit(owner.id, 300)).available.minor == 0


async def test_negative_credit_limit_is_refused(wallet, owner):
    with pytest.raises(ValidationFailed):
        await wallets.set_credit_limit(owner.id, -1)

    assert (await api.get_wallet(owner.id)).credit_limit_minor == 0


async def test_wallet_of_another_currency_is_not_charged(wallet, owner, monkeypatch):
    await wallet.top_up(100)
    before = await wallet.counts()
    monkeypatch.setattr(wallets, "get_currency", lambda: "JPY")

    with pytest.raises(Conflict, match="This wallet is in EUR, and amounts are in JPY"):
        await wallet.charge(1)

    assert await wallet.counts() == before
