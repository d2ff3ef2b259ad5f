"""Money that is added to wallets, and corrections."""

import pytest
from comanda.basics import PaymentRequired
from comanda_wallet import api


async def test_top_up_comes_from_outside(wallet, owner):
    entry = await wallet.top_up(1000)

    assert await wallet.legs(entry) == [("wallet", owner.id, 1000), ("cash", None, -1000)]


async def test_adjustment_is_at_the_platforms_expense(wallet, owner):
    entry = await api.adjust(owner.id, 300, "Goodwill", "operator")

    assert (entry.kind, entry.description, entry.balance_minor) == ("adjustment", "Goodwill", 300)
    assert await wallet.legs(entry) == [("wallet", owner.id, 300), ("revenue", None, -300)]
    assert (await api.adjust(owner.id, -100, "Too much", "operator")).balance_minor == 200


async def test_adjustment_keeps_to_the_credit_limit(wallet, owner):
    await wallet.top_up(100)
    before = await wallet.counts()

    with pytest.raises(PaymentRequired):
        await api.adjust(owner.id, -101, "Too much", "operator")

    assert await wallet.counts() == before


@pytest.mark.parametrize(("amount", "reason"), [(0, "Why"), (5, " ")])
async def test_adjustment_needs_amount_and_reason(wallet, owner, amount, reason):
    with pytest.raises(ValueError, match="needs an amount"):
        await api.adjust(owner.id, amount, reason, "operator")

    assert (await wallet.counts()).entries == 0


@pytest.mark.parametrize("amount", [0, -1])
async def test_top_up_of_nothing_is_refused(wallet, owner, amount):
    with pytest.raises(ValueError, match="more than 0"):
        await wallet.top_up(amount)

    assert (await wallet.counts()).entries == 0


async def test_repeated_top_up_adds_nothing(wallet, owner):
    first = await api.top_up(owner.id, 500, "payment")
    again = await api.top_up(owner.id, 900, "payment")

    assert (again, again.is_repeat, await wallet.balance()) == (first, True, 500)
